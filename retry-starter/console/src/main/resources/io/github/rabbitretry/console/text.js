// Copyright 2026 the Rabbit Retry authors.
// SPDX-License-Identifier: Apache-2.0

// Templates, and the spelling of what they show.

import { html as template, nothing, render, svg } from './lit-html.js';

export { nothing, render, svg };

/** Would turn a line around or hide in it: shown as the escape that it is. */
const INVISIBLE =
	/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\u{e0000}-\u{e007f}]/gu;

export const visible = (text) =>
	text.replace(INVISIBLE, (sign) => '\\u' + sign.codePointAt(0).toString(16).padStart(4, '0'));

/** As lit's, for which every text is text and nothing else. Texts between tags are made visible. */
export function html(strings, ...values) {
	return template(strings, ...values.map((value, index) =>
		(typeof value === 'string' && !strings[index].endsWith('=')) ? visible(value) : value));
}

/** What a browser may forbid to be kept is forgotten. */
export const memory = (storage) => ({
	get(key) {
		try {
			return window[storage].getItem('rabbit-retry.' + key) ?? '';
		}
		catch {
			return '';
		}
	},
	set(key, value) {
		try {
			window[storage].setItem('rabbit-retry.' + key, value);
		}
		catch {
			// valid for this page only
		}
	}
});

const ZONES = ['UTC', 'local', 'relative'];
const remembered = memory('localStorage');

/** How times are shown. */
export const zones = {
	all: ZONES,
	current: ZONES.includes(remembered.get('zone')) ? remembered.get('zone') : 'UTC',
	use(zone) {
		zones.current = zone;
		remembered.set('zone', zone);
	}
};

const spelled = (date) => date.toISOString().slice(0, 19).replace('T', ' ');

/** A length of time in its two largest units. */
export function span(seconds) {
	const units = [['d', 86400], ['h', 3600], ['min', 60], ['s', 1]];
	const first = units.findIndex(([, size]) => seconds >= size);
	if (first < 0) {
		return seconds > 0 ? `${Math.round(seconds * 1000)} ms` : '0 s';
	}
	let rest = Math.round(seconds);
	return units.slice(first, first + 2).map(([unit, size]) => {
		const whole = Math.floor(rest / size);
		rest -= whole * size;
		return whole ? `${whole} ${unit}` : '';
	}).filter(Boolean).join(' ');
}

const utc = (date) => `${spelled(date)}Z`;

const local = (date) => spelled(new Date(date - date.getTimezoneOffset() * 60_000));

/** A time as it is shown; what is none, as it is. */
export function moment(instant) {
	const date = new Date(instant);
	if (Number.isNaN(date.getTime())) {
		return String(instant);
	}
	const ago = (Date.now() - date.getTime()) / 1000;
	return { UTC: utc, local, relative: () => ago < 0 ? `in ${span(-ago)}` : `${span(Math.floor(ago))} ago` }[zones.current](date);
}

export function time(instant) {
	const date = new Date(instant);
	return !instant || Number.isNaN(date.getTime()) ? nothing
		: html`<time datetime=${String(instant)} title=${`${utc(date)}, local ${local(date)}`}>${moment(instant)}</time>`;
}

/** When a day began where the times are shown. */
export function midnight(daysAgo) {
	const date = new Date();
	if (zones.current === 'UTC') {
		date.setUTCHours(-24 * daysAgo, 0, 0, 0);
	}
	else {
		date.setDate(date.getDate() - daysAgo);
		date.setHours(0, 0, 0, 0);
	}
	return date.toISOString();
}

const SIZES = { ms: 0.001, s: 1, m: 60, min: 60, h: 3600, d: 86400 };

/** The seconds of a duration as JSON has it, or as names of queues have it. */
export function seconds(text) {
	const iso = /^PT(?:([\d.]+)H)?(?:([\d.]+)M)?(?:([\d.]+)S)?$/.exec(text ?? '');
	const label = /^(\d+)(ms|s|m|h|d)$/.exec(text ?? '');
	return label ? label[1] * SIZES[label[2]] : iso ? (iso[1] ?? 0) * 3600 + (iso[2] ?? 0) * 60 + Number(iso[3] ?? 0) : NaN;
}

export const duration = (text) => Number.isNaN(seconds(text)) ? String(text ?? '') : span(seconds(text));

export const number = (value) => value == null ? '' : Number(value).toLocaleString('en');

export const plural = (value, noun, several = `${noun}s`) => `${number(value)} ${Number(value) === 1 ? noun : several}`;

export const words = (constant) => (constant ?? '').toLowerCase().replaceAll('_', ' ');

/** Names of classes differ at their end. */
export const simple = (name) => (name ?? '').replace(/^.*\./, '');

/** A command as a shell takes it, without what would end the line where it is pasted. */
export function shell(parts) {
	return parts.map((part) => visible(part).replace(/[\t\n]/g, ' ')).map((part) =>
		/^[\w@%+=:,./-]+$/.test(part) ? part : `'${part.replaceAll("'", "'\\''")}'`).join(' ');
}

/** Reads what people write for a point in time: 2h for two hours ago, a day, or an instant. */
export function instant(text) {
	const ago = /^(\d{1,6})(s|m|min|h|d)$/.exec(text);
	return ago ? new Date(Date.now() - ago[1] * SIZES[ago[2]] * 1000).toISOString()
		: /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text;
}

/** Deeply nested arrays would need more spaces than a browser has memory for. */
const MOST_INDENTED = 2_000_000;

/** JSON in lines. Its values stay as they are spelled: large numbers are not rounded. JSON that is too deep or too large is not changed. */
export function pretty(text) {
	if (text.length > MOST_INDENTED || !isJson(text)) {
		return text;
	}
	const all = tokens(text);
	if (indentation(all) > MOST_INDENTED) {
		return text;
	}
	let depth = 0;
	const line = () => '\n' + '  '.repeat(depth);
	return all.map((token, index) => {
		if (token === '{' || token === '[') {
			depth++;
			return /[}\]]/.test(all[index + 1]) ? token : token + line();
		}
		if (token === '}' || token === ']') {
			depth--;
			return /^[{[]$/.test(all[index - 1]) ? token : line() + token;
		}
		return token === ',' ? token + line() : token === ':' ? ': ' : token;
	}).join('');
}

function indentation(all) {
	let depth = 0;
	return all.reduce((sum, token) => {
		depth += /^[{[]$/.test(token) ? 1 : /^[}\]]$/.test(token) ? -1 : 0;
		return sum + (/^[{}[\],]$/.test(token) ? 2 * depth : 0);
	}, 0);
}

export const compact = (text) => isJson(text) ? tokens(text).join('') : text;

const tokens = (text) => text.match(/"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? [];

function isJson(text) {
	try {
		return typeof JSON.parse(text) === 'object';
	}
	catch {
		return false;
	}
}
