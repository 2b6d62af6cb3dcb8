// Copyright 2026 the Rabbit Retry authors.
// SPDX-License-Identifier: Apache-2.0

// Parked messages by what they failed of, or by what else they have in common.

import { may } from './api.js';
import { chooser, command, everything, exception, filterForm, filterOf, href, table } from './parts.js';
import { html, nothing, number, plural, span, svg, time } from './text.js';

const SIZE = 200;

const ATTRIBUTES = { messageType: 'type', owner: 'owner', handlerVersion: 'handler version', schemaVersion: 'schema version', queue: 'queue' };

/** How often a list that is looked at asks what is new. */
const EVERY = 30_000;

/** So many times, until the tab is shown again: a page that is left open keeps no login alive. */
const ASKS = 20;

const ACTIVE = ['CANARY', 'RUNNING', 'PAUSED'];

export const groups = {
	title: () => 'Causes',
	needs: 'parkinglot',
	list: true,

	async open(view) {
		view.set({ chosen: new Set() });
		if (view.query.by && !attribute(view.query)) {
			throw new Error(`Messages can't be grouped by ${view.query.by}.`);
		}
		if (view.query.by) {
			view.set({ data: await view.read('parkinglot', ['groups'], { ...view.query, size: SIZE }) });
			return;
		}
		const [data, jobs] = await Promise.all([
			view.read('parkinglot', ['groups'], { ...view.query, size: SIZE }),
			view.has('replays') ? Promise.all(ACTIVE.map((state) => view.read('replays', [], { state, size: SIZE }))) : []
		]);
		view.set({ data, jobs: jobs.flatMap((answer) => answer.replays).map((job) => job.replay), fresh: 0 });
		follow(view);
		if (data.groups.length) {
			// takes longer; the causes are shown meanwhile
			view.read('parkinglot', ['groups'], { ...view.query, size: SIZE, trend: 'true' })
				.then(({ trends }) => view.set({ trends }), (failure) => view.fail(failure));
		}
		else if (!Object.values(view.query).some(Boolean)) {
			const [last] = (await view.read('parkinglot', [], { state: 'ANY', size: 1 })).messages;
			view.set({ last });
		}
	},

	/** Goes on when the tab is shown again. */
	shown(view) {
		if (!view.query.by && view.data) {
			follow(view, 0);
		}
	},

	render(view) {
		const { query, data } = view;
		const by = attribute(query);
		const found = (by ? data?.totals : data?.groups) ?? [];
		const known = Object.fromEntries(['queue', 'messageType', 'reason', 'owner', 'failureClass'].map((name) =>
			[name, new Set(found.map((group) => group[name]).filter(Boolean))]));
		known.handlerVersion = new Set(found.flatMap((group) => group.handlerVersions ?? []));
		const total = sum(found);
		const state = query.state || 'PARKED';
		return html`${filterForm(view, by ? ['state', 'by'] : ['state', 'newSince'], known)}
			<nav aria-label="Group by">Group by ${[['', 'cause'], ...Object.entries(ATTRIBUTES)].map(([name, label]) => html`<a
				href=${href('groups', { ...query, by: name, newSince: name ? '' : query.newSince })} aria-current=${name === (by ?? '') ? 'true' : nothing}>${label}</a> `)}</nav>
			${data ? html`${data.note ? html`<p class="note">${data.note}</p>` : nothing}<p class="summary"><strong>${found.length < SIZE ? '' : 'More than '}${plural(total, 'message')}</strong>
				of ${plural(found.length, ATTRIBUTES[by] ?? 'cause')}${state === 'PARKED' ? '' : `, state ${state}`}
				${view.fresh ? html`<button @click=${() => view.run(() => groups.open(view))}>${number(view.fresh)} new: show</button>` : nothing}
				${!by && view.chosen?.size ? html`<span>The chosen:</span> ${actions(state, { ...filterOf(query), cause: [...view.chosen].join(',') },
					`the ${plural(view.chosen.size, 'cause')} that are chosen`)}` : nothing}</p>
			${by ? table(`By ${ATTRIBUTES[by]}, largest first`, ['#Messages', `!${label(by)}`, '#Causes', 'Last parked', 'First parked', ''],
				found.map((total) => valueRow(view, total, state)), none(query))
				: table('Causes, largest first', ['#Choose', '#Messages', '!Cause', 'Last and first parked', 'First seen in', 'Type and queue', 'Owner', ''],
				found.map((group) => row(view, group, state)), none(query))}
			${total && !query.newSince ? html`<p class="summary"><span>All of them:</span> ${actions(state, filterOf(query), 'all that match')}</p>` : nothing}
			${!found.length && view.last ? html`<p>Last one parked: ${time(view.last.parkedAt)}, <a href=${href('message', {}, view.last.id)}>message ${
				String(view.last.id)}</a>, now ${view.last.state.toLowerCase()}.</p>` : nothing}` : nothing}
			${command('parked groups', query)}`;
	}
};

const sum = (found) => found.reduce((all, { count }) => all + count, 0);

/** Rows do not move under the pointer: what is new is shown when it is asked for. */
function follow(view, after = EVERY, asks = ASKS) {
	clearTimeout(view.timer);
	if (!document.hidden && view.current && asks) {
		view.timer = setTimeout(async () => {
			try {
				const { groups: now } = await view.read('parkinglot', ['groups'], { ...view.query, size: SIZE });
				view.set({ fresh: Math.max(0, sum(now) - sum(view.data.groups)) });
			}
			catch {
				// is asked again later; the list itself reports what is wrong
			}
			follow(view, EVERY, asks - 1);
		}, after);
	}
}

const attribute = ({ by }) => Object.hasOwn(ATTRIBUTES, by ?? '') ? by : undefined;

const none = ({ by, ...query }) => Object.values(query).some(Boolean) ? 'Nothing that matches is parked.' : 'Nothing is parked.';

const label = (by) => ATTRIBUTES[by].replace(/^./, (first) => first.toUpperCase());

/** A filter has no way to ask for messages without the value, and takes no control or invisible characters. */
function valueRow({ query, data }, { value, count, causes, lastParkedAt, firstParkedAt }, state) {
	const filter = { ...filterOf(query), [query.by]: value };
	const filtered = value && !/[\p{C}\u2028\u2029]/u.test(value);
	const link = (view, text) => filtered ? html`<a href=${href(view, { ...filter, state: query.state })}>${text}</a>` : text;
	return [link('messages', number(count)), html`${value || 'none'}${filtered ? nothing : html`<small>can't be filtered by</small>`}`, link('groups', number(causes)), time(lastParkedAt), time(firstParkedAt),
		filtered ? actions(state, filter, `${count} of ${value}`) : ''];
}

function row(view, group, state) {
	const { query, jobs, trends } = view;
	const filter = { ...filterOf(query), cause: group.cause.id };
	const [first, ...others] = group.handlerVersions;
	const inVain = group.budgetExhausted === group.count ? 'all' : number(group.budgetExhausted);
	return [chooser(view, group.cause.id, `${group.count} of ${group.cause.exception ?? group.reason}`),
		html`<a href=${href('messages', { ...filter, state: query.state })}>${number(group.count)}</a>
			${group.budgetExhausted ? html`<small>${inVain} with retries exhausted</small>` : nothing}`,
		html`${exception(group.cause, group.reason)}<small>${group.reason}, ${group.failureClass}</small>
			${(jobs ?? []).filter((job) => covers(job, group)).map((job) =>
				html`<a class=${`badge ${job.state.toLowerCase()}`} href=${href('job', {}, job.id)}>${job.id} ${job.state.toLowerCase()}</a> `)}`,
		html`${time(group.lastParkedAt)}<small>${time(group.firstParkedAt)}</small>${trend(trends, group)}`,
		html`<span class="word">${first ?? ''}</span>${others.length ? html`<small>also ${others.slice(-2).join(', ')}${others.length > 2 ? ' …' : ''}</small>` : nothing}`,
		html`${group.messageType}<small>${group.queue}</small>`, group.owner,
		actions(state, filter, `${group.count} of ${group.cause.exception ?? group.reason}`)];
}

/** When they were parked, in equal parts of the time since the first. */
function trend(trends, { cause }) {
	const { from, to, counts, exact } = trends?.find((other) => other.cause === cause.id) ?? { counts: [] };
	const most = Math.max(...counts);
	const part = span((new Date(to) - new Date(from)) / 1000 / counts.length);
	return html`<svg class="trend" role="img" viewBox=${`0 0 ${counts.length} 12`} preserveAspectRatio="none">
		<title>${counts.length ? `Parked per ${part} since the first${exact ? '' : ', estimated'}: ${counts.map(number).join('; ')}` : 'Counting'}</title>${counts.map((count, place) =>
		svg`<rect x=${place} y=${12 - (count && 1) - 11 * count / most} width="0.8" height=${(count && 1) + 11 * count / most}></rect>`)}</svg>`;
}

function actions(state, filter, what) {
	const link = (view, text, more = {}) => html`<a href=${href(view, { ...(view === 'messages' ? filter : everything(filter)), ...more })}
		aria-label=${`${text.replace('…', '')} ${what}`}>${text}</a> `;
	return html`${link('messages', 'Messages', { state: state === 'PARKED' ? '' : state })}
		${state === 'PARKED' ? html`${link('replay', may('replay') ? 'Replay…' : 'Dry run')}
			${may('discard') ? html`<span class="quiet">${link('discard', 'Discard…')}</span>` : nothing}`
			: state === 'DISCARDED' && may('discard') ? link('restore', 'Restore…') : nothing}`;
}

/** Running replays that may have selected messages of the cause, as far as the description of their selection says. */
function covers(job, group) {
	const own = { ...group, cause: group.cause.id };
	return job.selection === 'all' || !/^(ids=|rest of |uncertain of )/.test(job.selection)
		&& job.selection.split(/, (?=\w+=)/).every((part) => {
			const [name, value] = [part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1)];
			return name === 'cause' ? value.split(',').includes(own.cause)
				: name === 'handlerVersion' ? group.handlerVersions.includes(value) : !(name in own) || own[name] === value;
		});
}
