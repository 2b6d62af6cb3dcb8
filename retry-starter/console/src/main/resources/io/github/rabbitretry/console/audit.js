// Copyright 2026 the Rabbit Retry authors.
// SPDX-License-Identifier: Apache-2.0

// Who did what, when and why.

import { may } from './api.js';
import { command, described, fields, go, href, table } from './parts.js';
import { html, instant, midnight, nothing, number, time, words } from './text.js';

/** The most entries of a file. */
const EXPORTED = 10_000;

const ACTS = ['REPLAY', 'PAUSE', 'RESUME', 'CHANGE_RATE', 'ABORT', 'STOP', 'FINISH', 'RESTORE', 'DISCARD', 'EDIT', 'READ_BODY'];

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
			const { from, to, ...given } = fields(event.currentTarget);
			go(href('audit', { ...given, from: from && instant(from), to: to && instant(to) }));
		};
		const field = (name, label, type, hint = '') => html`<label>${label} <input type=${type} name=${name} maxlength="255" autocomplete="off"
			id=${name === 'user' ? 'search' : nothing} list=${name === 'user' ? 'known-users' : nothing} placeholder=${hint} .value=${query[name] ?? ''}></label>`;
		const days = [['Today', 0], ['Yesterday', 1, 0], ['7 days', 7]];
		return html`<form class="filter" role="search" aria-label="Filter" @submit=${submit}
				@change=${(event) => event.target.name === 'act' && submit(event)}><div>
				${field('user', 'Person', 'search')}
				<datalist id="known-users">${[...new Set((data?.entries ?? []).map(({ user }) => user))].map((user) => html`<option value=${user}></option>`)}</datalist>
				<label>Act <select name="act">${['', ...ACTS].map((act) => html`<option value=${act} ?selected=${query.act === act}>${act ? words(act) : 'any'}</option>`)}</select></label>
				${field('from', 'From', 'text', '2h, or 2026-07-01')}${field('to', 'To', 'text', '2h, or 2026-07-01')}${field('replayId', 'Replay', 'text')}
				<button>Filter</button>${days.map(([label, from, to]) => html` <a href=${href('audit', { ...query, before: '',
					from: midnight(from), to: to === undefined ? '' : midnight(to) })}>${label}</a>`)}
				${Object.values(query).some(Boolean) ? html`<a href=${href('audit')}>Clear</a>` : nothing}
				${['csv', 'json'].map((format) => html`<button type="button" ?disabled=${view.busy}
					@click=${() => save(view, format)}>Export ${format.toUpperCase()}</button>`)}</div></form>
			${data ? html`${table('What was done, newest first', ['#Entry', 'At', 'By', '!Act', '#Messages', 'Reason', 'Replay or selection',
				'Outcome', ''], data.entries.map((entry) => row(entry, data.restorable)), 'No entry.')}
			<p class="pages">${query.before ? html`<a href=${href('audit', { ...query, before: '' })}>First page</a> ` : nothing}
				${data.next != null ? html`<a href=${href('audit', { ...query, before: data.next })}>Next page</a>` : nothing}</p>` : nothing}
			${command('audit', query, ['act', 'from', 'to'].filter((name) => query[name]).flatMap((name) => [`--${name}`, query[name]]))}`;
	}
};

function row(entry, restorable) {
	const { id, what, count, replayId, selection, outcome, details } = entry;
	return [String(id), time(entry.at), entry.user, words(what), count && (restorable.includes(id) || what === 'RESTORE' && !replayId)
			? html`<a href=${href('messages', { auditId: id, state: 'ANY' })} aria-label=${`Messages of entry ${id}`}>${number(count)}</a>` : count, entry.reason,
		replayId ? html`<a href=${href('job', {}, replayId)}>${replayId}</a><small>${described(selection)}</small>` : described(selection),
		html`${outcome ?? ''}${details ? html`<small class="value">${details}</small>` : nothing}`,
		restorable.includes(id) && may('discard') ? html`<a href=${href('restore', { discard: id })}
			aria-label=${`Restore what entry ${id} discarded`}>Restore…</a>` : nothing];
}

async function save(view, format) {
	await view.run(async () => {
		const entries = [];
		let before;
		do {
			const page = await view.read('replays', ['audit'], { ...view.query, before, size: 1000 });
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
