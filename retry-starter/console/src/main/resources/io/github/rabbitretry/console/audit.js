// Copyright 2026 the Rabbit Retry authors.
// SPDX-License-Identifier: Apache-2.0

// Who did what, when and why.

import { may } from './api.js';
import { command, fields, go, href, table } from './parts.js';
import { html, nothing, number, time, words } from './text.js';

/** The most entries of a file. */
const EXPORTED = 10_000;

const COLUMNS = ['id', 'at', 'user', 'what', 'count', 'reason', 'replayId', 'selection', 'outcome', 'details', 'application'];

export const audit = {
	title: () => 'Audit',
	needs: 'replays',
	list: true,

	async open(view) {
		view.set({ data: await view.read('replays', ['audit'], { size: 100, ...view.query }) });
	},

	render(view) {
		const { data, query } = view;
		const submit = (event) => {
			event.preventDefault();
			go(href('audit', fields(event.target)));
		};
		return html`<form class="filter" role="search" aria-label="Filter" @submit=${submit}><div>
				<label>Replay <input type="search" id="search" name="replayId" maxlength="255" autocomplete="off"
					.value=${query.replayId ?? ''}></label><button>Filter</button>
				${query.replayId || query.before ? html`<a href=${href('audit')}>Clear</a>` : nothing}
				${['csv', 'json'].map((format) => html`<button type="button" ?disabled=${view.busy}
					@click=${() => save(view, format)}>Export ${format.toUpperCase()}</button>`)}</div></form>
			${data ? html`${table('What was done, newest first', ['#Entry', 'At', 'By', '!Act', '#Messages', 'Reason', 'Replay or selection',
				'Outcome', ''], data.entries.map(row), 'No entry.')}
			<p class="pages">${query.before ? html`<a href=${href('audit', { ...query, before: '' })}>First page</a> ` : nothing}
				${data.next != null ? html`<a href=${href('audit', { ...query, before: data.next })}>Next page</a>` : nothing}</p>` : nothing}
			${command('audit', query)}`;
	}
};

function row(entry) {
	const { id, what, replayId, selection, outcome, details } = entry;
	return [String(id), time(entry.at), entry.user, words(what), entry.count, entry.reason,
		replayId ? html`<a href=${href('job', {}, replayId)}>${replayId}</a><small>${selection ?? ''}</small>`
			: /^ids=\d+$/.test(selection) ? html`<a href=${href('message', {}, selection.slice(4))}>${selection}</a>` : selection,
		html`${outcome ?? ''}${details ? html`<small class="value">${details}</small>` : nothing}`,
		what === 'DISCARD' && entry.count && may('discard') ? html`<a href=${href('restore', { discard: id })}
			aria-label=${`Restore what entry ${id} discarded`}>Restore…</a>` : nothing];
}

async function save(view, format) {
	await view.run(async () => {
		const entries = [];
		let before;
		do {
			const page = await view.read('replays', ['audit'], { replayId: view.query.replayId, before, size: 1000 });
			entries.push(...page.entries);
			before = page.next;
		} while (before != null && entries.length < EXPORTED);
		const table = [COLUMNS, ...entries.map((entry) => COLUMNS.map((column) => entry[column] ?? ''))];
		const text = format === 'json' ? JSON.stringify(entries, null, 2) : table.map((line) => line.map(cell).join(',') + '\r\n').join('');
		const link = document.createElement('a');
		link.href = URL.createObjectURL(new Blob([text], { type: format === 'json' ? 'application/json' : 'text/csv' }));
		link.download = `audit${view.query.replayId ? '-' + view.query.replayId : ''}.${format}`;
		link.click();
		URL.revokeObjectURL(link.href);
		document.dispatchEvent(new CustomEvent('notice', { detail: `${number(entries.length)} entries are exported.${before != null
			? ' There are older ones, which the command line pages through.' : ''}` }));
	});
}

/** A spreadsheet would take a text that begins like a formula for one. */
function cell(value) {
	const text = String(value).replace(/^[=+\-@\t\r]/, "'$&");
	return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
