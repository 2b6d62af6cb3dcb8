// Copyright 2026 the Rabbit Retry authors.
// SPDX-License-Identifier: Apache-2.0

// Replays: the last ones, and one as it runs.

import { may } from './api.js';
import { actedBy, actor, command, described, facts, fields, go, href, reasonField, stateBadge, table, userField } from './parts.js';
import { duration, html, nothing, number, plural, span, svg, time, words } from './text.js';

const STATES = ['CANARY', 'RUNNING', 'PAUSED', 'STOPPED', 'ABORTED', 'FINISHED', 'INCOMPLETE'];

/** What became of the messages: the parts of the bar, each with the counts that it is the sum of. */
const PARTS = [
	['succeeded', 'succeeded', ['succeeded']],
	['again', 'parked again', ['parkedAgain']],
	['failed', 'skipped, failed, discarded or uncertain', ['skipped', 'failed', 'discarded', 'uncertain', 'restored']],
	['published', 'published, no outcome yet', ['undecided']],
	['waiting', 'waiting', ['waiting', 'inFlight']]
];

/** States of messages that need attention, with their counts. */
const ITEMS = { PARKED_AGAIN: 'parkedAgain', FAILED: 'failed', SKIPPED: 'skipped', UNCERTAIN: 'uncertain', DISCARDED: 'discarded',
	SUCCEEDED: 'succeeded', PUBLISHED: 'undecided', CLAIMED: 'inFlight', SELECTED: 'waiting' };

const VERBS = { pause: 'Pause', resume: 'Resume', abort: 'Abort', rate: 'Change rate', restore: 'Park the uncertain ones again' };

/** Words of states: 'selected' would mean one thing here and another in the bar. */
const stated = (name, active) => ({ SELECTED: active ? 'waiting' : 'not published', PUBLISHED: 'published, no outcome yet' })[name] ?? words(name);

/** Outcomes come for some time after the last message was published. */
const OUTCOMES_FOR = 10 * 60_000;

/** The rate is that of the last seconds. */
const MEASURED = 10_000;

const POLLING = 'polling';

/** Pausing is urgent when a replay goes wrong; its reason is asked for when it is resumed. */
const UNEXPLAINED = 'paused in the console';

export const jobs = {
	title: () => 'Replays',
	needs: 'replays',
	list: true,

	async open(view) {
		view.set({ data: await view.read('replays', [], { size: 50, ...view.query }) });
	},

	render(view) {
		const { data, query } = view;
		const size = Number(query.size) || 50;
		return html`<form class="filter" role="search" aria-label="Filter" @change=${(event) => go(href('jobs', fields(event.currentTarget)))}>
			<div><label>State <select name="state"><option value="">any</option>${STATES.map((state) =>
				html`<option value=${state} ?selected=${query.state === state}>${words(state)}</option>`)}</select></label></div></form>
			${data ? html`
			${table('Replays, the last one first', ['!Replay', 'State', '#Messages', 'Outcome', 'Started', 'By', 'Selection'],
				data.replays.map(({ active, replay: { id, state, why, counts, startedAt, act, selection } }) => [
					html`<a href=${href('job', {}, id)}>${id}</a>`, html`${stateBadge(state)}<small>${words(why)}</small>`, counts.selected,
					bar(counts, active), time(startedAt), html`${act.user}<small>${act.reason}</small>`, described(selection)]), 'No replay.')}
			${data.replays.length === size && size < 1000 ? html`<p class="pages">
				<a href=${href('jobs', { ...query, size: Math.min(size * 4, 1000) })}>Show more</a></p>` : nothing}` : nothing}
			${command('jobs', query)}`;
	}
};

export const job = {
	title: (view) => `${view.id}${view.data ? `: ${words(view.data.replay.state)}` : ''}`,
	needs: 'replays',

	async open(view) {
		view.set({ seen: [], wanted: view.query.items });
		await poll(view);
	},

	/** Goes on when the tab is shown again. */
	shown(view) {
		poll(view).catch((failure) => {
			view.fail(failure, POLLING);
			view.timer = setTimeout(() => view.current && job.shown(view), 5000);
		});
	},

	render(view) {
		const { data } = view;
		if (!data) {
			return nothing;
		}
		const { replay, active } = data;
		const { counts, options, act } = replay;
		return html`<p class="summary">${stateBadge(replay.state)} ${replay.why ? words(replay.why) : ''} <strong>${data.percent} %</strong> done
				of ${plural(counts.selected, 'message')} ${active && replay.state !== 'PAUSED' ? pace(view) : nothing}</p>
			${replay.state === 'CANARY' ? html`<p>The first ${number(options.canary)} are replayed as a canary. The others follow if all of
				them succeed. If no outcome comes, see in the <a href=${href('topology')}>topology</a> whether the queue has consumers.</p>` : nothing}
			${replay.stalled ? html`<p class="note">Stalled: ${replay.stalled}, since ${time(replay.stalledSince)}</p>` : nothing}
			${replay.detail ? html`<p class="note">${replay.detail}</p>` : nothing}
			${view.paused?.user ? html`<p class="note">Paused by ${view.paused.user} ${time(view.paused.at)}: ${view.paused.reason}</p>` : nothing}
			${active ? nothing : reached(replay)}${bar(counts, active)}${legend(counts, active)}${controls(view)}${next(replay, active)}${items(view)}
			<section aria-labelledby="about"><h2 id="about">About this replay</h2>${facts([['Selection', described(replay.selection)], ['By', act.user],
				['Reason', act.reason], ['Started', time(replay.startedAt)], ['Ended', time(replay.endedAt)], ['Works on it', replay.worker],
				['Rate', options.rate ? `${options.rate} per second, reached after ${duration(options.ramp)}` : 'unlimited'],
				['Canary', options.canary ? `${options.canary}, waits ${duration(options.canaryTimeout)}` : 'none'],
				['Stops at', `${options.abortPercent} % parked again of at least ${plural(options.abortMinimum, 'outcome')}`],
				[options.move ? 'Moved to' : 'Copied to', options.target]])}</section>
			${command(`jobs ${active ? 'follow' : 'show'} ${view.id}`)}
			${command(`jobs items ${view.id}`, {}, view.state ? ['--state', view.state] : [])}`;
	}
};

/** Each second while it runs and is looked at, then slower for the outcomes that follow. */
async function poll(view) {
	clearTimeout(view.timer);
	if (document.hidden) {
		view.paused = undefined;
		return;
	}
	const data = await view.read('replays', [view.id]);
	view.recovered(POLLING);
	const now = Date.now();
	const { counts, options, endedAt } = data.replay;
	view.set({ data, seen: [...view.seen, [now, counts.waiting + counts.inFlight]].filter(([at]) => now - at <= MEASURED) });
	await readItems(view);
	await readPause(view);
	const follows = counts.undecided > 0 && !options.target && now - new Date(endedAt).getTime() < OUTCOMES_FOR;
	if ((data.active || counts.inFlight || follows) && view.current) {
		view.timer = setTimeout(() => job.shown(view), data.active ? 1000 : 5000);
	}
}

/** Who paused it, and why. */
async function readPause(view) {
	const { state, why } = view.data.replay;
	if (why !== 'ASKED_FOR' || state !== 'PAUSED') {
		view.paused = undefined;
	}
	else if (!view.paused) {
		const { entries } = await view.read('replays', ['audit'], { replayId: view.id, size: 50 });
		view.set({ paused: entries.find(({ what }) => what === 'PAUSE') ?? {} });
	}
}

async function readItems(view) {
	const { counts } = view.data.replay;
	const state = view.wanted ?? Object.keys(ITEMS).slice(0, 4).find((name) => counts[ITEMS[name]]);
	const known = `${state} ${counts[ITEMS[state]]} ${view.query.after}`;
	if (state && known !== view.known) {
		view.set({ known, state, items: await view.read('replays', [view.id, 'messages'], { state, after: view.query.after, size: 50 }) });
	}
}

function pace({ seen, data }) {
	const [[from, before], [to, left]] = [seen[0], seen.at(-1)];
	const rate = (before - left) * 1000 / (to - from);
	const remains = data.replay.state === 'RUNNING' && rate > 0 ? `, about ${span(Math.ceil(left / rate))} left` : '';
	return to === from ? nothing : html`<span>${rate.toFixed(rate < 10 ? 1 : 0)} per second${remains}</span>`;
}

/** What an ended replay has not published waits for nothing. */
const sums = (counts, active) => PARTS.map(([name, label, of]) =>
	[name, name === 'waiting' && !active ? 'not published' : label, of.reduce((sum, count) => sum + counts[count], 0)]);

function bar(counts, active) {
	let start = 0;
	const parts = sums(counts, active).filter(([, , count]) => count > 0).map((part) => {
		const width = 100 * part[2] / (counts.selected || 1);
		start += width;
		return [part[0], start - width, width];
	});
	return html`<svg class="bar" role="img" viewBox="0 0 100 4" preserveAspectRatio="none"
		aria-label=${sums(counts, active).filter(([, , count]) => count).map(([, label, count]) => `${number(count)} ${label}`).join(', ') || 'no messages'}>
		${parts.map(([name, x, width]) => svg`<rect class=${name} x=${x} y="0" width=${width} height="4"></rect>`)}</svg>`;
}

const legend = (counts, active) => html`<ul class="legend">${sums(counts, active).map(([name, label, count]) =>
	html`<li class=${count ? name : `${name} none`}><strong>${number(count)}</strong> ${label}</li>`)}</ul>`;

/** What an ended replay has reached, and what remains to be done. */
function reached({ counts, options }) {
	const all = counts.selected > 0 && counts.succeeded === counts.selected;
	const remains = sums(counts, false).filter(([name, , count]) => count && name !== 'succeeded').map(([, label, count]) => `${number(count)} ${label}`);
	return options.target || counts.undecided || counts.inFlight ? nothing : html`<p class=${all ? 'done' : 'note'}>${all
		? `${counts.selected === 1 ? 'The message' : `All ${plural(counts.selected, 'message')}`} succeeded. Nothing remains to be done.`
		: `${number(counts.succeeded)} of ${plural(counts.selected, 'message')} succeeded; ${remains.join(', ')}.`}</p>`;
}

/** What can be done with it now. */
function controls(view) {
	const { replay, active } = view.data;
	const acts = active ? [replay.state === 'PAUSED' ? 'resume' : 'pause', 'abort', 'rate'] : replay.counts.uncertain ? ['restore'] : [];
	if (!acts.length || !may('replay')) {
		return nothing;
	}
	const submit = (event) => {
		event.preventDefault();
		const { rate, ramp, withoutCanary, ...given } = fields(event.target);
		const what = event.submitter.value;
		const more = what === 'rate' ? { rate, ramp } : what === 'resume' ? { withoutCanary: withoutCanary && 'true' } : {};
		view.run(async () => {
			await view.write('replays', [view.id, what], { ...more, ...actedBy({ because: UNEXPLAINED, ...given }) });
			event.target.elements.because.value = '';
			await poll(view);
		});
	};
	// each keeps its place: one that turned into another under the pointer would do the opposite
	const button = (what) => html`<button value=${what} ?formnovalidate=${what === 'pause' && actor()} ?hidden=${!acts.includes(what)} ?disabled=${view.busy || !acts.includes(what)}>
		${VERBS[what]}</button>`;
	return html`<form class="act" aria-label="Change this replay" @submit=${submit}>${userField()}${reasonField()}
		${replay.state === 'PAUSED' && replay.options.canary ? html`<label class="check"><input type="checkbox" name="withoutCanary">
			Resume without waiting for the canary</label>` : nothing}
		<div class="buttons"><button hidden disabled></button>${['pause', 'resume', 'abort', 'restore'].map(button)}${active ? html`<label>Messages per second
			<input name="rate" size="8" autocomplete="off" .value=${String(replay.options.rate ?? 'unlimited')}></label>
			<label>in <input name="ramp" size="5" autocomplete="off" placeholder="0s"></label>${button('rate')}` : nothing}</div></form>`;
}

/** The ways on from here. */
function next({ id, counts, options }, active) {
	return html`<p class="acts">${!active && counts.waiting
		? html`<a href=${href('replay', { restOf: id })}>Replay the rest, ${plural(counts.waiting, 'message')}…</a> ` : nothing}
		${!active && counts.uncertain && !options.target ? html`<a href=${href('replay', { uncertainOf: id })}>Replay the uncertain ones…</a> ` : nothing}
		${counts.parkedAgain ? html`<a href=${href('groups', { replayId: id })}>Why they were parked again</a> ` : nothing}
		${options.target ? html`${options.move ? plural(counts.succeeded + counts.undecided, 'message')
			: plural(counts.succeeded + counts.undecided, 'copy for inspection', 'copies for inspection')}
			published to ${options.target}. ` : nothing}<a href=${href('audit', { replayId: id })}>Audit</a></p>`;
}

/** Which messages these are. */
function items(view) {
	const { replay: { counts }, active } = view.data;
	const { items: page, state } = view;
	const show = (event) => {
		view.set({ wanted: event.target.value, query: {} });
		view.run(() => readItems(view));
	};
	return html`<section aria-labelledby="items"><h2 id="items">Messages</h2>
		<p class="summary"><label>Show <select @change=${show}><option value="" ?selected=${!state} disabled>choose</option>
			${Object.entries(ITEMS).map(([name, count]) => html`<option value=${name} ?selected=${name === state}>
				${stated(name, active)}: ${number(counts[count])}</option>`)}</select></label></p>
		${page ? table(`Messages that are ${stated(state, active)}`, ['#Place', '!Message', 'Since', 'Published', 'Detail'], page.messages.map((item) =>
			[item.sequence, html`<a href=${href('message', {}, item.parkedId)}>${String(item.parkedId)}</a>`, time(item.since),
				time(item.publishedAt), item.detail]), 'None.') : nothing}
		${page?.next != null ? html`<p class="pages">
			<a href=${href('job', { items: state, after: page.next }, view.id)}>Next page</a></p>` : nothing}</section>`;
}
