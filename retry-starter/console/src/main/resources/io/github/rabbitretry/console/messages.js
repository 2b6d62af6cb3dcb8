// Copyright 2026 the Rabbit Retry authors.
// SPDX-License-Identifier: Apache-2.0

// Lists of messages: what is parked, and what was discarded.

import { may } from './api.js';
import { chooser, command, everything, exception, filterForm, filterOf, href, messageLink, stateBadge, table } from './parts.js';
import { html, nothing, number, plural, time, words } from './text.js';

/** With others the database has to read each message to count it. */
const COUNTED = ['queue', 'messageType', 'reason', 'owner', 'handlerVersion', 'failureClass', 'cause', 'fingerprint',
	'payloadState', 'state', 'order', 'after', 'size'];

/** Columns that are left out, and said once above, if all rows have the same. */
const COMMON = [['Type and queue', ({ messageType, queue }) => `${messageType}, ${queue}`], ['Owner', ({ owner }) => owner], ['State', ({ state }) => words(state)]];

/** What all messages of a page have in common. */
const common = (messages) => COMMON.filter(([, value]) => messages.length > 1 && new Set(messages.map(value)).size === 1)
	.map(([name, value]) => [name, value(messages[0])]);

const list = (title, fixed) => ({
	title: () => title,
	needs: 'parkinglot',
	list: true,

	async open(view) {
		const { size, ...query } = { ...view.query, ...fixed };
		view.set({ chosen: new Set(), total: undefined });
		const data = await view.read('parkinglot', [], { ...query, size: size || 50 });
		view.set({ data, chosen: new Set() });
		if (Object.keys(query).every((name) => COUNTED.includes(name))) {
			await count(view, query);
		}
	},

	render(view) {
		const { data, chosen } = view;
		const query = { ...view.query, ...fixed };
		const state = query.state || 'PARKED';
		const filter = filterOf(query);
		const { after, size, order, ...counted } = query;
		const columns = ['#Choose', '!Message', 'Failure', 'Parked', '#Attempts', 'Type and queue', 'Owner', ...(fixed.state ? ['Discarded', 'Kept until'] : ['State'])];
		const shared = common(data?.messages ?? []).filter(([name]) => columns.includes(name));
		const differs = (_, index) => !shared.some(([name]) => name === columns[index]);
		return html`${filterForm(view, fixed.state ? [] : ['state'])}
			${data ? html`<p class="summary"><strong>${view.total == null
				? html`${after ? `${order ? 'Later' : 'Earlier'} messages` : plural(data.messages.length, 'message')}${data.next ? ' and more' : ''}`
				: plural(view.total, 'message')}</strong>${after ? ', continued' : ''}
				${view.total == null && (data.next || after) ? html`<button @click=${() => view.run(() => count(view, counted))}>Count</button>` : nothing}
				${data.messages.length ? html`${acts(state, everything(filter), 'all that match')}
					<button @click=${() => view.set({ chosen: new Set(chosen.size ? [] : data.messages.map(({ id }) => String(id))) })}>${
						chosen?.size ? 'Choose none' : 'Choose all on this page'}</button>
					<a href=${href(view.name, { ...view.query, after: '', order: order ? '' : 'OLDEST_FIRST' })}>${order ? 'Newest' : 'Oldest'} first</a>` : nothing}
				${chosen?.size ? acts(state, { ids: [...chosen].join(',') }, `the ${plural(chosen.size, 'message')} that are chosen`) : nothing}</p>
			${shared.length ? html`<p class="hint">All of these: ${shared.map(([, value]) => value).join('; ')}</p>` : nothing}
			${table(`${title}, ${order ? 'first' : 'last'} parked first`, columns.filter(differs),
				data.messages.map((message) => row(view, message, fixed.state && (data.discards ?? {})).filter(differs)), Object.values(view.query).some(Boolean) ? 'No message matches.'
					: fixed.state ? 'The bin is empty.' : 'Nothing is parked.')}
			<p class="pages">${after ? html`<a href=${href(view.name, { ...view.query, after: '' })}>First page</a> ` : nothing}
				${data.next ? html`<a href=${href(view.name, { ...view.query, after: data.next })}>Next page</a>` : nothing}</p>` : nothing}
			${command('parked list', query, order ? ['--oldest-first'] : [])}`;
	}
});

export const messages = list('Messages', {});

export const bin = list('Bin', { state: 'DISCARDED' });

async function count(view, query) {
	const { after, ...counted } = query;
	view.set({ total: (await view.read('parkinglot', [], { ...counted, size: 1, count: 'true' })).total });
}

const acts = (state, query, what) => html`<span class="acts">${(state === 'PARKED' ? [['replay', 'Replay', 'replay'], ['discard', 'Discard', 'discard']]
	: state === 'DISCARDED' ? [['restore', 'Restore', 'discard']] : []).filter(([, , right]) => may(right)).map(([view, verb]) =>
	html`<a class=${view === 'discard' ? 'quiet' : nothing} href=${href(view, query)}>${verb} ${what}…</a> `)}</span>`;

/** Who discarded it, when and why. */
const act = (entry) => entry ? html`${entry.user}<small>${time(entry.at)}</small><small>${entry.reason}</small>` : nothing;

function row(view, message, discards) {
	const id = String(message.id);
	return [
		chooser(view, id, `message ${id}`),
		messageLink(message),
		html`${exception(message.cause, message.reason)}<small>${message.reason}${(message.failureReason ?? message.reason) !== message.reason
			? `, last failed with ${message.failureReason}` : ''}</small>`,
		time(message.parkedAt), message.attempts + 1, html`${message.messageType}<small>${message.queue}</small>`, message.owner,
		...(discards ? [act(discards[id]), time(message.deletedAt)] : [stateBadge(message.state)])];
}
