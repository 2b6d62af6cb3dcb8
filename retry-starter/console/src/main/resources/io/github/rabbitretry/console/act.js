// Copyright 2026 the Rabbit Retry authors.
// SPDX-License-Identifier: Apache-2.0

// Replay, discard, restore: a dry run first, then exactly what it showed.

import { may, serviceTime, session } from './api.js';
import { actedBy, actor, command, exception, facts, fields, href, reasonField, refuseUnclear, reservations, samples, selected, selectionOf, table,
	userField } from './parts.js';
import { duration, html, nothing, number, plural, time } from './text.js';

/** Beyond so many the number has to be typed. */
const UNASKED = 100;

/** Options of a replay: label, what the service takes if nothing is said, hint. */
const OPTIONS = {
	canary: ['First, as a canary', '10', 'messages; the rest follows only if all of them succeed'],
	rate: ['Rate', '50', 'messages per second, or unlimited'],
	maximum: ['At most', '', 'messages, oldest first'],
	canaryTimeout: ['Wait for the canary', '5m', 'then the replay pauses'],
	ramp: ['Ramp', '30s', 'time to reach the rate'],
	abortPercent: ['Stop if parked again', '20', 'percent'],
	abortMinimum: ['After at least', '20', 'outcomes'],
	target: ['To another queue', '', 'copies for inspection; the messages stay parked']
};

/** These are asked for; the others are seldom changed. */
const ASKED = 3;

const VERDICTS = {
	PARK: 'parked again at once',
	DISCARD: 'acknowledged and not kept',
	RETRY: 'retried, then parked again',
	UNKNOWN: 'not known here'
};

const FINDINGS = {
	NO_LISTENER_HERE: 'no listener in this instance',
	HANDLER_UNCHANGED: 'the failing version is the current one',
	SCHEMA_NOT_SUPPORTED: 'schema not supported'
};

function changing(path, counted) {
	const send = async (view, args) => {
		const answer = await view.write('parkinglot', [path], args);
		return { count: answer[counted], preview: answer.preview, audit: answer.auditId };
	};
	return { needs: 'parkinglot', right: 'discard', line: `parked ${path}`, dryRun: (view, args) => send(view, { ...args, dryRun: 'true' }),
		act: async (view, args) => {
			view.set({ done: await send(view, args) });
			if (!view.current) {
				document.dispatchEvent(new CustomEvent('notice', { detail: `${plural(view.done.count, 'message')}: ${path} done, audit entry ${view.done.audit}.` }));
			}
		} };
}

/** What differs between the three. Their answers become a count, a preview, and what only a replay knows. */
const KINDS = {
	replay: {
		verb: 'Replay', done: 'replayed', needs: 'replays', right: 'replay', line: 'replay', takes: true,
		dryRun: async (view, args) => {
			const { dryRun } = await view.read('replays', ['dry-run'], args);
			return { count: dryRun.wouldReplay, preview: dryRun.preview, details: dryRun };
		},
		act: async (view, args) => {
			const { id } = (await view.write('replays', [], args)).replay;
			if (view.current) {
				location.hash = href('job', {}, id);
			}
			else {
				document.dispatchEvent(new CustomEvent('notice', { detail: `Replay ${id} has started.` }));
			}
		}
	},
	discard: { verb: 'Discard', done: 'discarded', takes: true, ...changing('discard', 'discarded') },
	restore: { verb: 'Restore', done: 'parked again', ...changing('restore', 'restored') }
};

const acting = (kind) => ({
	title: (view) => `${kind.verb} ${selected(view.query)}`,
	needs: kind.needs,

	async open(view) {
		view.set({ options: {} });
		refuseUnclear(view.query);
		await tryIt(view);
		announce(view);
	},

	render(view) {
		const { dry, done, options } = view;
		if (done) {
			return html`<p class="done" role="status">${plural(done.count, 'message')} ${kind.done}, audit entry ${String(done.audit)}.
				${kind.verb === 'Discard' ? html`<a href=${href('restore', { discard: done.audit })}>Restore them</a>`
					: html`<a href=${href('groups')}>Causes</a>`} <a href=${href('audit')}>Audit</a></p>`;
		}
		const { user, because, move, ...given } = options ?? {};
		return html`${dry ? result(kind, dry) : nothing}
			${dry && (dry.count || dry.details?.matching || dry.preview.reserved.length) ? may(kind.right) ? form(view)
				: html`<p class="note">You may not do this: it requires a role of rabbit-retry.replay.roles.${kind.right}.</p>` : nothing}
			${view.tried ? html`<p><button @click=${() => tryIt(view).then(() => announce(view))} ?disabled=${view.busy}>Dry run again</button></p>` : nothing}
			${command(kind.line, { ...chosen(view), ...given, because, ...(actor() && because ? { user: session.user ? '' : actor() } : {}),
				...(because && dry ? { expect: dry.preview.token } : {}) }, [...(view.taking ? ['--take-reserved'] : []), ...(move ? ['--move'] : []), ...(because ? [] : ['--dry-run'])])}`;
	}
});

/** Failures go on arriving while people look: what a filter matches later does not join. */
function chosen({ name, query, until }) {
	const selection = selectionOf(query);
	const fixed = selection.ids || selection.restOf || selection.uncertainOf || !KINDS[name].takes;
	const given = selection.parkedBefore;
	const earlier = given && !(new Date(given) >= new Date(until)) ? given : until;
	return fixed ? selection : { ...selection, parkedBefore: earlier };
}

/** The queue of a move or a copy decides what can be replayed, and is looked for. Nothing is disabled meanwhile: this begins with a click elsewhere. */
async function retarget(view) {
	const { target } = view.options;
	try {
		const dry = await dryRun(view);
		if (target === view.options.target) {
			view.set({ dry });
			document.dispatchEvent(new CustomEvent('notice', { detail: target ? `To ${target}: ${dry.details.cautions[0]}` : '' }));
		}
	}
	catch (failure) {
		view.fail(failure);
	}
}

const dryRun = (view) => KINDS[view.name].dryRun(view, { ...chosen(view), takeReserved: view.taking && 'true',
	target: view.options.target, move: view.options.target && view.options.move });

async function suggest(view) {
	if (!view.queues && view.has('retrytopology')) {
		view.set({ queues: [] });
		const { messageTypes, shared } = await view.read('retrytopology');
		view.set({ queues: [...messageTypes.flatMap(({ queues }) => queues), ...shared]
			.filter(({ role, present }) => role !== 'retry' && present !== false).map(({ name }) => name).sort() });
	}
}

async function tryIt(view) {
	view.set({ until: serviceTime(), tried: true });
	await view.run(async () => {
		try {
			refuseUnclear(view.query);
			view.set({ dry: await dryRun(view) });
		}
		catch (failure) {
			view.set({ dry: null });
			throw failure;
		}
	});
}

/** What the dry run found is read first. */
const announce = (view) => view.current && document.getElementById('dry')?.focus();

function result(kind, { count, preview, details }) {
	const owners = Object.entries(preview.owners).map(([owner, messages]) => `${owner}: ${number(messages)}`).join(', ');
	return html`<section aria-labelledby="dry"><h2 id="dry" tabindex="-1">Dry run</h2>
		<p class="summary"><strong>${plural(count, 'message')} would be ${kind.done}</strong>${count ? `Owners: ${owners}` : ''}</p>
		${details ? replayable(details) : nothing}${preview.samples.length ? samples(preview.samples) : nothing}
		${reservations(preview.reserved)}</section>`;
}

/** What only the dry run of a replay knows. */
function replayable(details) {
	const ages = details.ages.filter((age) => age.count).map((age) =>
		`${age.upTo ? `within ${duration(age.upTo)}` : 'longer ago'}: ${number(age.count)}`).join(', ');
	return html`${facts([['Match', number(details.matching)], ['Can be replayed', number(details.replayable)],
			['Body masked or not stored', details.payloadMissing && number(details.payloadMissing)],
			['Of queues without a policy here', details.queueUnknown && number(details.queueUnknown)], ['Parked', ages]])}
		<ul class="cautions" aria-label="Cautions">${details.cautions.map((caution) => html`<li>${caution}</li>`)}</ul>
		${table('Why they failed', ['#Messages', '!Cause', 'If it fails the same way', 'Findings', 'First seen in',
			'Owner’s note'], details.groups.map(group))}`;
}

function group(group) {
	return [group.count, html`${exception(group.cause, group.reason)}<small>${group.reason}, ${group.queue}</small>`,
		VERDICTS[group.onSameFailure],
		html`<span class="warning">${group.findings.map((finding) => FINDINGS[finding]).join(', ')}</span>`,
		html`${group.handlerVersions[0] ?? ''}<small>${time(group.firstParkedAt)}</small>`, group.replayPolicy];
}

function form(view) {
	const kind = KINDS[view.name];
	const { dry, options, taking } = view;
	const count = Math.min(dry.count, Number(options.maximum) || Infinity);
	const submit = (event) => {
		event.preventDefault();
		const { confirm, takeReserved, user, because, ...given } = fields(event.target);
		view.run(() => kind.act(view, { ...chosen(view), ...changed(given), expect: dry.preview.token,
			takeReserved: taking && 'true', ...actedBy({ user, because }) }));
	};
	const input = (event) => {
		if (event.target.name !== 'takeReserved') {
			const { confirm, takeReserved, ...given } = fields(event.currentTarget);
			view.set({ options: changed(given) });
		}
	};
	const change = ({ target: { name } }) => kind.verb === 'Replay' && (name === 'target' || name === 'move' && view.options.target) && retarget(view);
	const take = (event) => {
		view.set({ taking: event.target.checked });
		tryIt(view);
	};
	const names = kind.verb === 'Replay' ? Object.keys(OPTIONS) : ['maximum'];
	const option = (name) => {
		const [label, usual, hint] = OPTIONS[name];
		return html`<label>${label} <input name=${name} .value=${usual} maxlength="255" autocomplete="off"
			list=${name === 'target' ? 'queues' : nothing} @focus=${name === 'target' ? () => suggest(view).catch(() => {}) : nothing}
			placeholder=${name === 'maximum' ? 'all' : usual}><small>${hint}</small></label>`;
	};
	return html`<form class="act" @submit=${submit} @input=${input} @change=${change} aria-label=${kind.verb}>
		<fieldset><legend>How</legend><div class="options">${names.slice(0, ASKED).map(option)}</div>
		${kind.takes && (taking || dry.preview.reserved.length) ? html`<label class="check">
			<input type="checkbox" name="takeReserved" .checked=${Boolean(taking)} @change=${take}>
			Take those too that other replays have selected</label>` : nothing}
		${kind.verb === 'Replay' ? html`<details><summary>More options</summary><div class="options">${names.slice(ASKED).map(option)}</div>
			<datalist id="queues">${(view.queues ?? []).map((queue) => html`<option value=${queue}></option>`)}</datalist>
			<label class="check"><input type="checkbox" name="move" value="true">
			Move the messages to that other queue: they are no longer parked</label></details>` : nothing}</fieldset>
		<fieldset><legend>Who and why</legend>${userField()}${reasonField()}
		${count > UNASKED ? html`<label>Type ${String(count)} to confirm <input name="confirm" required inputmode="numeric"
			pattern=${`\\s*${count}\\s*`} autocomplete="off" title=${`${count}, the number of messages`}></label>` : nothing}</fieldset>
		<button class="act" ?disabled=${view.busy || !count}>${options.target ? options.move ? 'Move' : 'Copy' : kind.verb} ${plural(count, 'message')}</button>
		<span class="hint">${kind.verb !== 'Replay' ? 'It can be undone.' : options.move ? 'It can be paused and aborted. Nothing brings back what is moved.' : 'It can be paused and aborted.'}
			${chosen(view).parkedBefore ? html`Messages parked after ${time(chosen(view).parkedBefore)} are excluded.` : nothing}</span></form>`;
}

/** Only what differs: the service knows which usual values fit together. */
const changed = (given) => Object.fromEntries(Object.entries(given).filter(([name, value]) => value !== OPTIONS[name]?.[1]));

export const replay = acting(KINDS.replay);

export const discard = acting(KINDS.discard);

export const restore = acting(KINDS.restore);
