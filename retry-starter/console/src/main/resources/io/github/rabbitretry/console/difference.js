// Copyright 2026 the Rabbit Retry authors.
// SPDX-License-Identifier: Apache-2.0

// Two texts, line by line, beside each other.

import { html, nothing } from './text.js';

/** Beyond, the lines between what is equal at both ends count as changed. */
const MOST = 4_000_000;

/** Equal lines around a change. */
const AROUND = 2;

export function difference(caption, before, after) {
	if (before === after) {
		return nothing;
	}
	const rows = pairs(before.split('\n'), after.split('\n'));
	const near = rows.map((row, index) => rows.slice(Math.max(0, index - AROUND), index + AROUND + 1).some(([old, now]) => old !== now));
	return html`<table class="difference"><caption>${caption}: what is changed</caption>
		<thead><tr><th scope="col">Before</th><th scope="col">After</th></tr></thead>
		<tbody>${rows.map(([old, now], index) => near[index] ? html`<tr><td class=${old === now ? '' : 'removed'}>${old ?? ''}</td>
			<td class=${old === now ? '' : 'added'}>${now ?? ''}</td></tr>` : nothing)}</tbody></table>`;
}

/** Rows of a line before and a line after, equal where both have it; undefined where there is none. */
function pairs(before, after) {
	let start = 0;
	while (start < Math.min(before.length, after.length) && before[start] === after[start]) {
		start++;
	}
	let end = 0;
	while (end < Math.min(before.length, after.length) - start && before.at(-1 - end) === after.at(-1 - end)) {
		end++;
	}
	const [old, now] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
	const middle = [];
	let [removed, added] = [[], []];
	const flush = () => {
		for (let index = 0; index < Math.max(removed.length, added.length); index++) {
			middle.push([removed[index], added[index]]);
		}
		[removed, added] = [[], []];
	};
	const common = old.length * now.length > MOST ? null : lengths(old, now);
	let [i, j] = [0, 0];
	while (i < old.length || j < now.length) {
		if (common && i < old.length && j < now.length && old[i] === now[j]) {
			flush();
			middle.push([old[i++], now[j++]]);
		}
		else if (i < old.length && (j >= now.length || !common || common[i + 1][j] >= common[i][j + 1])) {
			removed.push(old[i++]);
		}
		else {
			added.push(now[j++]);
		}
	}
	flush();
	const same = (line) => [line, line];
	return [...before.slice(0, start).map(same), ...middle, ...(end ? before.slice(-end) : []).map(same)];
}

/** The longest common subsequence of what follows, for each pair of places. */
function lengths(old, now) {
	const table = Array.from({ length: old.length + 1 }, () => new Uint32Array(now.length + 1));
	for (let i = old.length - 1; i >= 0; i--) {
		for (let j = now.length - 1; j >= 0; j--) {
			table[i][j] = old[i] === now[j] ? table[i + 1][j + 1] + 1 : Math.max(table[i + 1][j], table[i][j + 1]);
		}
	}
	return table;
}
