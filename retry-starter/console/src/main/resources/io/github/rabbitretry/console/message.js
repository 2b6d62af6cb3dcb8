// Copyright 2026 the Rabbit Retry authors.
// SPDX-License-Identifier: Apache-2.0

// One message: why it failed, what it is, what became of it; edited and replayed.

import { may } from './api.js';
import { actedBy, command, copyButton, facts, href, reasonField, stateBadge, table, userField, fields } from './parts.js';
import { compact, html, nothing, number, plural, pretty, time, words } from './text.js';
import { difference } from './difference.js';

/** More would make the page slow. */
const SHOWN = 100_000;

const FRAMES = 'x-app-exception-frames';

export const message = {
	title: (view) => `Message ${view.id}`,
	needs: 'parkinglot',

	async open(view) {
		const { payload } = view.query;
		const read = (more) => view.read('parkinglot', [view.id], more);
		let data;
		try {
			data = await read(payload ? { payload } : {});
		}
		catch (refused) {
			if (!payload || refused.status !== 403) {
				throw refused;
			}
			data = await read({});
			view.set({ hidden: refused.message });
		}
		view.set({ data, more: SHOWN, edited: null });
		await takenBy(view, data);
	},

	render(view) {
		const { data } = view;
		if (!data) {
			return view.busy ? nothing : html`<p><a href=${href('messages')}>All messages</a></p>`;
		}
		const { message: known, headers } = data;
		const frames = (headers[FRAMES] ?? '').split(/\s*<-\s*|\n\s*(?:at )?/).filter(Boolean);
		const ids = { ids: view.id };
		return html`<p class="summary">${stateBadge(known.state)} ${known.state === 'PARKED'
				? html`<span class="acts">${may('replay') ? html`<a href=${href('replay', ids)}>Replay…</a> ` : nothing}${may('discard')
					? html`<a class="quiet" href=${href('discard', ids)}>Discard…</a>` : nothing}</span>`
				: known.state === 'DISCARDED' && may('discard') ? html`<span class="acts"><a href=${href('restore', ids)}>Restore…</a></span>` : nothing}
				<a href=${href('messages', { cause: known.cause.id })}>Others of this cause</a></p>
			<section aria-labelledby="failure"><h2 id="failure">Failure</h2>
				<p class="failure"><strong>${known.cause.exception ?? known.reason}</strong>
					<span class="said value">${headers['x-app-root-exception-message'] ?? known.cause.text ?? known.exceptionMessage ?? ''}</span></p>
				${frames.length ? html`<pre class="frames">${frames.map((frame) => html`at ${frame}\n`)}</pre>` : nothing}
				${facts([['Thrown as', known.exception], ['Text', known.exceptionMessage], ['Reason', known.reason],
					['Last failed with', known.failureReason !== known.reason && known.failureReason],
				['Class', known.failureClass], ['Fingerprint', known.fingerprint]])}</section>
			${body(view)}${timeline(view)}
			<section aria-labelledby="what"><h2 id="what">Message</h2>${facts([['Type', known.messageType], ['Queue', known.queue],
				['Owner', known.owner], ['Handler version', known.handlerVersion], ['Consumer', known.consumer],
				['Message id', known.messageId], ['Correlation id', known.correlationId], ['Caused by', known.causationId], ['Aggregate id', known.aggregateId],
				['Schema version', known.schemaVersion], ['Producer', known.producer], ['Content type', data.properties.contentType],
				['SHA-256 of the body', known.payloadHash],
				['Kept until', time(known.deletedAt)]])}</section>
			${headerTable(view)}${edit(view)}
			${command(`parked show ${view.id}`, {}, view.query.payload ? ['--payload'] : [])}`;
	}
};

/** Who took it, which other endpoints know. */
async function takenBy(view, { message: known, replayedBy, discardedBy }) {
	if (known.replayId && view.has('replays')) {
		// it may have been deleted since, or be hidden from this user: its id is shown anyway
		view.set({ before: await view.read('replays', [known.replayId]).then(({ replay }) => replay, () => undefined) });
	}
	if (replayedBy && view.has('replays')) {
		const { replay } = await view.read('replays', [replayedBy]);
		view.set({ taken: [replay.startedAt, `Replayed by ${replay.act.user}: ${replay.act.reason}`,
			href('job', {}, replayedBy), replayedBy] });
	}
	else if (known.state === 'DISCARDED' && discardedBy != null && view.has('replays')) {
		const [entry] = (await view.read('replays', ['audit'], { before: Number(discardedBy) + 1, size: 1 })).entries;
		if (entry) {
			view.set({ taken: [entry.at, `Discarded by ${entry.user}: ${entry.reason}`, href('restore', { discard: entry.id }),
				'restore all of this act'] });
		}
	}
}

function timeline({ data, taken, before }) {
	const { message: known, history } = data;
	const attempts = history.map((line) => /^(\S+) #(\d+) (\S+) (\S+) (.*)$/.exec(line)).filter(Boolean)
		.map(([, at, attempt, reason, then, by]) =>
			[at, `Attempt ${attempt} failed: ${words(reason)}${then === 'parked' ? '' : `, again after ${then}`} (${by})`]);
	const events = [
		...(known.replayId ? [[before?.startedAt, before ? `Replayed by ${before.act.user}: ${before.act.reason}. Failed again:` : 'Came back from replay',
			href('job', {}, known.replayId), known.replayId]] : []),
		...(attempts.length ? attempts : [[known.firstSeenAt, 'First failed'],
			[known.lastFailedAt, `Last failed, after ${plural(known.attempts + 1, 'attempt')}`]]),
		[known.parkedAt, `Parked: ${words(known.reason)}`], ...(taken ? [taken] : [])];
	return html`<section aria-labelledby="timeline"><h2 id="timeline">Timeline</h2><ol class="timeline">${events.map(([at, what, link, name]) =>
		html`<li>${time(at)} ${what} ${link ? html`<a href=${link}>${name}</a>` : nothing}</li>`)}</ol></section>`;
}

function body(view) {
	const { payload } = view.data;
	const text = payload?.encoding === 'text' ? pretty(payload.content) : payload?.content ?? '';
	return html`<section aria-labelledby="body"><h2 id="body">Body</h2>
		${view.hidden ? html`<p class="note">${view.hidden}</p>`
		: !payload ? html`<p><a href=${href('message', { ...view.query, payload: 'true' }, view.id)}>Show body and all headers</a></p>`
		: html`<p class="summary">${number(payload.size)} bytes, ${payload.state.toLowerCase()}${payload.encoding === 'base64' ? ', base64' : ''}
			${copyButton(payload.content ?? '', 'the body')}</p>
			<pre tabindex="0" role="group" aria-label="Body">${text.slice(0, view.more)}</pre>
			${text.length > view.more ? html`<button @click=${() => view.set({ more: Infinity })}>Show all</button>` : nothing}`}</section>`;
}

function headerTable(view) {
	const { data, search = '' } = view;
	const all = [...Object.entries(data.properties), ...Object.entries(data.headers)];
	const found = all.filter(([name, value]) => (name + ' ' + value).toLowerCase().includes(search.toLowerCase()));
	const [added, own] = [found.filter(([name]) => FIXED.test(name)), found.filter(([name]) => !FIXED.test(name))];
	const rows = (of) => of.map(([name, value]) => [name, html`<span class="value">${value}</span>`, copyButton(value, name)]);
	return html`<section aria-labelledby="headers"><h2 id="headers">Properties and headers</h2>
		<p class="summary"><label>Filter <input type="search" id="search" autocomplete="off"
			@input=${(event) => view.set({ search: event.target.value })}></label>
			${data.hiddenHeaders ? html`Not shown without the body: ${data.hiddenHeaders.join(', ')}` : nothing}</p>
		${table('Properties and headers', ['!Name', 'Value', ''], rows(own), 'None.')}
		${added.length ? html`<details ?open=${Boolean(search)}><summary>Added by Rabbit Retry and RabbitMQ: ${String(added.length)}</summary>
			${table('Added headers', ['!Name', 'Value', ''], rows(added))}</details>` : nothing}</section>`;
}

const FIXED = new RegExp('^(x-app-|x-replay|x-(first|last)-death-|(x-original-death-count|x-death|x-delivery-count|x-acquired-count'
	+ '|x-opt-delivery-time|B?CC)$)');

/** Headers of ours and of the broker can't be changed, those of several lines not here. */
const editable = (headers) => Object.entries(headers).filter(([name, value]) => !value.includes('\n') && !FIXED.test(name));

const lines = (headers) => headers.map(([name, value]) => `${name}: ${value}`).join('\n');

function edit(view) {
	const { data, edited } = view;
	const { payload, message: known } = data;
	if (known.state !== 'PARKED' || payload?.state !== 'WHOLE' || payload.encoding !== 'text' || !view.has('replays') || !may('edit')) {
		return nothing;
	}
	const before = { body: pretty(payload.content).replaceAll('\r\n', '\n'), headers: lines(editable(data.headers)) };
	const after = { ...before, ...edited };
	const changes = changesOf(before, after, payload.content);
	const input = ({ target: { name, value } }) => name in before && view.set({ edited: { ...after, [name]: value } });
	const submit = (event) => {
		event.preventDefault();
		const act = actedBy(fields(event.target));
		view.run(async () => {
			const job = await view.write('replays', ['edit'], { id: view.id, ...changes, ...act });
			location.hash = href('job', {}, job.replay.id);
		});
	};
	return html`<section aria-labelledby="edit"><h2 id="edit">Edit and replay</h2>
		<details ?open=${Boolean(edited)}><summary>Replay it with another body or other headers</summary><form class="act" @submit=${submit}
			@input=${input}>
			<label class="wide">Body <textarea name="body" rows="12" spellcheck="false" .value=${before.body}></textarea></label>
			<label class="wide">Headers, one in a line <textarea name="headers" rows="4" spellcheck="false" .value=${before.headers}></textarea></label>
			<p class="hint">JSON is sent without line breaks. A changed header becomes a text. The message gets a new id.</p>
			${Object.keys(changes).length ? html`${difference('Body', before.body, after.body)}${difference('Headers', before.headers, after.headers)}
				${userField()}${reasonField()}<button class="act" ?disabled=${view.busy}>Edit and replay</button>`
				: html`<p class="empty">Nothing is changed yet.</p>`}
			${command(`parked edit ${view.id}`, {}, Object.entries(changes).flatMap(([name, value]) =>
				name === 'body' ? ['--body-file', 'body.json'] : ['--header', `${name.slice('header.'.length)}=${value}`]))}
		</form></details></section>`;
}

/** As the endpoint takes them: an empty header is removed. A field of a form knows one kind of line ends only. */
function changesOf(before, after, content) {
	const body = compact(content.includes('\r\n') ? after.body.replaceAll('\n', '\r\n') : after.body);
	const changes = after.body === before.body || body === compact(content) ? {} : { body };
	const parsed = (text) => Object.fromEntries(text.split('\n').map((line) => /^\s*([^:]+?)\s*:\s?(.*)$/.exec(line)).filter(Boolean)
		.map(([, name, value]) => [name, value]));
	const [old, given] = [parsed(before.headers), parsed(after.headers)];
	for (const name of new Set([...Object.keys(old), ...Object.keys(given)])) {
		if (old[name] !== given[name]) {
			changes[`header.${name}`] = given[name] ?? '';
		}
	}
	return changes;
}
