// Copyright 2026 the Rabbit Retry authors.
// SPDX-License-Identifier: Apache-2.0

// What several views are made of.

import { actuator, causes, session } from './api.js';
import { html, instant, memory, moment, nothing, number, shell, simple, time } from './text.js';

/** Arguments of the endpoints that select messages: name, label, option of the command line, hint. */
const FILTERS = [
	['text', 'Text contains', '--text', 'exception, text, type, queue'],
	['anyId', 'Any id', '--any-id', 'or how one begins'],
	['queue', 'Queue', '--queue'],
	['messageType', 'Type', '--type'],
	['reason', 'Reason', '--reason'],
	['owner', 'Owner', '--owner'],
	['parkedFrom', 'Parked from', '--from', '2h, or 2026-07-01'],
	['parkedBefore', 'Parked before', '--before', '2h, or 2026-07-01'],
	['handlerVersion', 'Handler version', '--handler-version'],
	['schemaVersion', 'Schema version', '--schema-version'],
	['failureClass', 'Failure class', '--failure-class'],
	['cause', 'Cause', '--cause'],
	['fingerprint', 'Fingerprint', '--fingerprint'],
	['messageId', 'Message id', '--message-id'],
	['correlationId', 'Correlation id', '--correlation-id'],
	['aggregateId', 'Aggregate id', '--aggregate-id'],
	['replayId', 'Came back from replay', '--replay-id'],
	['auditId', 'Audit entry', '--audit'],
	['payloadState', 'Body', '--payload-state', ['WHOLE', 'MASKED', 'OMITTED']]
];

const STATE = ['state', 'State', '--state', ['PARKED', 'REPLAYED', 'DISCARDED', 'ANY']];

/** A phone, or a page that is enlarged. */
const NARROW = window.matchMedia('(max-width: 40rem)');

const OTHERS = [STATE, ['newSince', 'New since version', '--new-since'], ['by', 'By', '--by'], ['order', 'Order'], ['size', 'Size', '--size'],
	['after', 'After', '--after'], ['before', 'Before', '--before'], ['restOf', 'Rest of', '--rest-of'],
	['uncertainOf', 'Uncertain of', '--uncertain-of'], ['discard', 'Discarded by', '--discard'],
	['maximum', '', '--max'], ['rate', '', '--rate'], ['ramp', '', '--ramp'], ['canary', '', '--canary'],
	['canaryTimeout', '', '--canary-timeout'], ['abortPercent', '', '--abort-percent'],
	['abortMinimum', '', '--abort-minimum'], ['target', '', '--target'], ['expect', '', '--expect'],
	['user', '', '--user'], ['because', '', '--because']];

/** Without inherited names: an address may name 'valueOf'. */
const byName = (place) => Object.assign(Object.create(null), Object.fromEntries([...FILTERS, ...OTHERS].map((filter) => [filter[0], filter[place]])));

const LABELS = byName(1);
const OPTIONS = byName(2);

const only = (values, names) =>
	Object.fromEntries(Object.entries(values).filter(([name, value]) => names.includes(name) && value));

/** The part of an address that selects messages, without what selects a page or a state. */
export const filterOf = (query) => only(query, FILTERS.map(([name]) => name));

/** The same with what an act may select besides. Everything is only meant if that is said. */
export function selectionOf(query) {
	const selection = { ...filterOf(query), ...only(query, ['ids', 'restOf', 'uncertainOf', 'discard']) };
	return Object.keys(selection).length || query.all !== 'true' ? selection : { all: 'true' };
}

/** What an act on all that match has in its address. */
export const everything = (filter) => Object.keys(filter).length ? filter : { all: 'true' };

/** A filter with a typo, or one that was cut off, would select more than was meant. */
export function refuseUnclear(query) {
	const unknown = Object.keys(query).filter((name) => (!(name in LABELS) || name === 'by') && !['all', 'ids'].includes(name));
	if (unknown.length) {
		throw new Error(`The address has an unknown filter, ${unknown.join(', ')}. Nothing was requested.`);
	}
	if (!Object.keys(selectionOf(query)).length) {
		throw new Error('The address selects nothing. Begin with the causes or the messages.');
	}
}

/** A selection in words. */
export function selected(query) {
	const { all, ids, ...filter } = selectionOf(query);
	return all ? 'all messages' : !ids && !Object.keys(filter).length ? 'nothing' : [...(ids ? [`ids ${ids.replaceAll(',', ', ')}`] : []),
		...Object.entries(filter).map(([name, value]) => `${LABELS[name].toLowerCase()} ${readable(name, value)}`)].join(', ');
}

/** A value of a filter as people know it. */
const readable = (name, value) => name === 'cause' ? value.split(',').map(causeName).join(' or ')
	: name.startsWith('parked') ? moment(value) : value;

function causeName(id) {
	const { exception, text } = causes.get(id) ?? {};
	return exception || text ? [simple(exception), text].filter(Boolean).join(': ') : id;
}

/** The same of a selection that a replay or the audit has written down. */
export const described = (selection) => (selection ?? '').split(/, (?=\w+=)/).map((part, index) => {
	const [, before, name, value] = /^((?:.*: )?)(\w+)=(.*)$/s.exec(part) ?? [];
	const label = LABELS[name]?.toLowerCase() ?? name;
	const ids = name === 'ids' ? value.match(/\d+/g) ?? [] : [];
	return html`${index ? ', ' : ''}${value === undefined ? part : ids.length ? html`${before}${ids.length === 1 ? 'message' : 'messages'} ${
		ids.map((id, place) => html`${place ? ', ' : ''}<a href=${href('message', {}, id)}>${id}</a>`)}` : `${before}${label} ${readable(name, value)}`}`;
});

/** The address of a view: a real link, which opens in another tab and can be sent. */
export function href(view, query = {}, id = undefined) {
	const values = new URLSearchParams(Object.entries(query).filter(([, value]) => value != null && value !== ''));
	return '#/' + view + (id != null ? '/' + encodeURIComponent(id) : '') + (values.size ? '?' + values : '');
}

/** Goes there, and asks once more for what is shown already. */
export function go(address) {
	if (location.hash === address) {
		window.dispatchEvent(new HashChangeEvent('hashchange'));
	}
	location.hash = address;
}

/** The fields of a form that are filled in. */
export const fields = (form) => Object.fromEntries([...new FormData(form)].map(([name, value]) =>
	[name, String(value).trim()]).filter(([, value]) => value));

/**
 * The filter of a list. It goes into the address, and from there into the request.
 * @param more fields of this list: 'state' or 'newSince'; 'by' is no field, it stays as it is
 * @param known values to propose, by the name of the field
 */
export function filterForm(view, more, known = {}) {
	const all = [...FILTERS, ...OTHERS.filter(([name]) => name !== 'by' && more.includes(name))];
	const field = ([name, label, , hint]) => html`<label>${label} ${Array.isArray(hint)
		? html`<select name=${name}>${(name === 'state' ? hint : ['', ...hint]).map((value) =>
			html`<option value=${value} ?selected=${view.query[name] === value}>${value || 'any'}</option>`)}</select>`
		: html`<input name=${name} id=${name === 'text' ? 'search' : nothing} type=${name === 'text' ? 'search' : 'text'}
			maxlength="255" placeholder=${hint ?? ''} list=${known[name]?.size ? `known-${name}` : nothing} autocomplete="off"
			spellcheck="false" .value=${view.query[name] ?? ''}>`}</label>
		${known[name]?.size ? html`<datalist id=${`known-${name}`}>${[...known[name]].sort().map((value) =>
			html`<option value=${value}></option>`)}</datalist>` : nothing}`;
	const submit = (event) => {
		event.preventDefault();
		const given = fields(event.target);
		for (const name of ['parkedFrom', 'parkedBefore'].filter((name) => given[name])) {
			given[name] = instant(given[name]);
		}
		go(href(view.name, { ...given, order: view.query.order, by: more.includes('by') ? view.query.by : '', state: given.state === 'PARKED' ? '' : given.state }));
	};
	return html`<form class="filter" role="search" aria-label="Filter" @submit=${submit}>
		<details ?open=${!NARROW.matches || all.some(([name]) => view.query[name])}><summary class="narrow">Filters</summary>
			<div>${all.slice(0, 6).map(field)}<button>Filter</button>
				${Object.keys(view.query).length ? html`<a href=${href(view.name)}>Clear</a>` : nothing}</div>
			<details><summary>More filters</summary>
				<div>${all.slice(6).map(field)}</div></details></details>
		${chips(view, all)}</form>`;
}

/** What is set, each with a way to remove it. */
function chips({ name: list, query }, all) {
	const set = all.filter(([name]) => query[name]);
	return set.length ? html`<p class="chips">${set.map(([name, label]) => html`<a href=${href(list, { ...query, [name]: '', after: '' })}
		aria-label=${`Remove the filter ${label}`}>${label} <strong>${readable(name, query[name])}</strong> ×</a> `)}</p>` : nothing;
}

const remembered = memory('sessionStorage');

/** Who acts: the login, else the name that was given in this tab. */
export const actor = () => session.user || remembered.get('user');

export const actedBy = (values) => {
	if (!session.user && values.user) {
		remembered.set('user', values.user);
	}
	return { user: session.user ? '' : actor(), because: values.because };
};

export const userField = () => session.user ? nothing : html`<label>Your name, for the audit
	<input name="user" required maxlength="128" autocomplete="username" .value=${actor()}></label>`;

export const reasonField = () => html`<label class="wide">Reason, for the audit
	<input name="because" required maxlength="255" autocomplete="off" placeholder="such as HANDLER_FIXED, and the ticket"></label>`;

/** The same in a shell. */
export function command(name, query = {}, flags = []) {
	const { ids, ...values } = query;
	const at = actuator();
	const url = [...(at === 'http://127.0.0.1:8080/actuator' ? [] : ['--url', at]), ...(session.password ? ['--login', session.user] : [])];
	const options = Object.entries(values).filter(([option, value]) => OPTIONS[option] && value).flatMap(([option, value]) =>
		String(value).startsWith('-') ? [`${OPTIONS[option]}=${value}`] : [OPTIONS[option], String(value)]);
	return commandLine(shell(['rabbit-retry', ...name.split(' '), ...(ids ? ids.split(',') : []),
		...(values.all ? ['--all'] : []), ...options, ...flags, ...url]));
}

export const commandLine = (text) => html`<div class="command" role="group" aria-label="The same on the command line">
	<span>Command line</span><code>${text}</code>${copyButton(text, 'the command')}</div>`;

export const copyButton = (text, what) => html`<button type="button" class="copy" aria-label=${`Copy ${what}`}
	@click=${() => copy(text)}>Copy</button>`;

/** Without TLS, browsers have the old way only. */
async function copy(text) {
	try {
		await navigator.clipboard.writeText(text);
	}
	catch {
		const focused = document.activeElement;
		const area = document.createElement('textarea');
		area.value = text;
		document.body.append(area);
		area.select();
		document.execCommand('copy');
		area.remove();
		focused?.focus();
	}
	document.dispatchEvent(new CustomEvent('notice', { detail: 'Copied.' }));
}

/**
 * A table. A column that begins with # holds numbers, one that begins with ! names the row, one without a name has actions.
 * @param rows their cells: texts, numbers or templates
 */
export function table(caption, columns, rows, empty = 'Nothing.') {
	const type = (index) => ({ '#': 'number', undefined: 'acts' })[columns[index][0]] ?? nothing;
	const cell = (value, index) => {
		const word = typeof value === 'string' && /^\S{1,32}$/.test(value);
		const shown = typeof value === 'number' ? number(value) : word ? html`<span class="word">${value}</span>` : value ?? '';
		return columns[index][0] === '!' ? html`<th scope="row" role="rowheader">${shown}</th>`
			: html`<td role="cell" class=${type(index)} data-label=${columns[index].replace('#', '')}>${shown}</td>`;
	};
	// on a phone rows are blocks, which browsers take for no table without the roles
	return rows.length ? html`<table role="table"><caption>${caption}</caption>
		<thead role="rowgroup"><tr role="row">${columns.map((column, index) => html`<th scope="col" role="columnheader" class=${type(index)}>${
			column.replace(/^[#!]/, '') || html`<span class="unseen">Actions</span>`}</th>`)}</tr></thead>
		<tbody role="rowgroup">${rows.map((row) => html`<tr role="row">${row.map(cell)}</tr>`)}</tbody></table>` : html`<p class="empty">${empty}</p>`;
}

export const facts = (entries) => html`<dl class="facts">${entries.filter(([, value]) => value && value !== nothing)
	.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;

export const exception = (cause, reason) => html`${cause?.exception
	? html`<strong title=${cause.exception}>${simple(cause.exception)}</strong>` : html`<strong>${reason}</strong>`}
	${cause?.text ? html`<span class="said">${cause.text}</span>` : nothing}`;

export const stateBadge = (state) => html`<span class=${`badge ${state.toLowerCase()}`}>${state.toLowerCase().replaceAll('_', ' ')}</span>`;

/** The five that an act would begin with. */
export const samples = (messages) => table('The oldest of them', ['!Message', 'Type', 'Failure', 'Parked', 'Owner'],
	messages.map((message) => [messageLink(message), message.messageType, exception(message.cause, message.reason),
		time(message.parkedAt), message.owner]));

export const messageLink = (message, query = {}) => html`<a href=${href('message', query, message.id)}>${String(message.id)}</a>
	<small>${message.messageId ?? ''}</small>`;

/** Adds a row to those that are chosen together. */
export function chooser(view, id, what) {
	const choose = (event) => {
		view.chosen[event.target.checked ? 'add' : 'delete'](id);
		view.set({});
	};
	return html`<input type="checkbox" aria-label=${`Choose ${what}`} .checked=${view.chosen?.has(id) ?? false} @change=${choose}>`;
}

/** What other replays have selected. */
export const reservations = (reserved) => reserved.length ? table('Selected by running replays',
	['!Replay', '#Messages', 'State', 'By'], reserved.map((other) => [html`<a href=${href('job', {}, other.replayId)}>${other.replayId}</a>`,
		other.messages, stateBadge(other.state), other.user])) : nothing;
