// Copyright 2026 the Rabbit Retry authors.
// SPDX-License-Identifier: Apache-2.0

// The broker's queues, what waits in them, and the policies that they belong to.

import { actuator, missing, openSession, serviceTime, session } from './api.js';
import { outage } from './outage.js';
import { command, commandLine, copyButton, facts, fields, go, href, table } from './parts.js';
import { duration, html, nothing, number, plural, seconds, shell, span, time } from './text.js';

const ROLES = ['work', 'quarantine', 'retry', 'dead-letter', 'parking-lot'];

export const topology = {
	title: () => 'Topology',
	needs: ['retrytopology', 'waitingretries'],
	list: true,

	async open(view) {
		const [data, waiting] = await Promise.all([...view.module.needs.map((id) => view.has(id) ? view.read(id) : null),
			session.services && openSession()]);
		view.set({ data, waiting });
	},

	render(view) {
		const { data, waiting } = view;
		const due = Object.fromEntries((waiting?.waiting ?? []).map((queue) => [queue.queue, queue.backBy]));
		const shared = data?.shared.filter((queue) => queue.messages || queue.ready || queue.present === false) ?? [];
		return html`${view.has('retrytopology') ? nothing : html`<p class="note">${missing('retrytopology')}
				Without it only ready messages are known.</p>`}
			${data ? html`${findings(data)}${[...data.messageTypes].sort((one, other) => trouble(other) - trouble(one)).map((type) => way(type, due))}
				${shared.length ? queues('Shared by message types', shared, due) : nothing}
				<p class="hint">${data.broker ? `RabbitMQ ${data.broker}, virtual` : 'Virtual'} host ${data.virtualHost}, examined ${time(data.at)} by ${data.examinedBy}.
				Parked messages are moved from the parking lots into the ledger.</p>` : waiting ? depths(waiting) : nothing}
			${session.services ? services(session.services) : nothing}
			<p><button ?disabled=${view.busy} @click=${() => view.run(() => topology.open(view))}>Refresh</button></p>
			${command('waiting')}${data ? html`${command('topology')}${command('doctor')}` : nothing}`;
	}
};

/** What is not fine comes first. */
const trouble = ({ queues: all }) => all.filter((queue) => warning(queue)).length;

const depth = ({ messages, ready }) => messages ?? ready;

/** Why the messages of a queue do not move, or are lost. */
const warning = (queue) => queue.present === false ? 'missing'
	: queue.consumers === 0 && depth(queue) > 0 && queue.role !== 'retry' ? 'no consumer' : '';

/** One line for a message type: work queue, waits, parking lot, and what lies beside them. */
function way({ messageType, owner, queues: all }, due) {
	const of = (...roles) => all.filter(({ role }) => roles.includes(role));
	const id = `type-${messageType}`;
	return html`<section aria-labelledby=${id}><h2 id=${id}>${messageType}, owner ${owner}</h2>
		<ol class="way">${station('Work queue', of('work'), due)}${station('Waiting for a retry', of('retry'), due)}${station('Parking lot', of('parking-lot'), due)}
			${station('Beside it', of('dead-letter', 'quarantine'), due)}</ol>
		<details><summary>All queues of ${messageType}</summary>${queues(`Queues of ${messageType}`, all, due)}</details></section>`;
}

/** Queues of one kind: how many messages each has, and what keeps them there. */
const station = (label, all, due) => html`<li><small>${label}</small>${all.length ? nothing : html`<div class="stop none">in shared queues</div>`}${all.map((queue) => html`<div class=${depth(queue) ? 'stop' : 'stop none'}>
	<strong>${depth(queue) == null ? '?' : number(depth(queue))}</strong> <span>${queue.name}</span>
	${warning(queue) ? html`<small class="warning">${warning(queue)}</small>` : nothing}${depth(queue) && due[queue.name]
		? html`<small>all back by ${time(due[queue.name])}</small>` : nothing}</div>`)}</li>`;

function queues(caption, all, due) {
	const place = (queue) => ROLES.indexOf(queue.role);
	return table(caption, ['!Queue', 'For', '#Messages', '#Ready', '#Unacknowledged', '#Consumers', 'All back by', 'State'],
		[...all].sort((one, other) => place(one) - place(other)).map((queue) => [queue.name, queue.role, queue.messages, queue.ready,
			queue.unacknowledged, queue.consumers, time(due[queue.name]),
			queue.present === false ? html`<span class="warning">missing</span>` : queue.state]), 'No queue.');
}

/** Those with this ledger. An instance that runs says so every ten minutes. */
const services = (all) => table('Services', ['!Service', 'Version', 'Started', 'Last sign of life', 'Problem'],
	all.map(({ application, handlerVersion, startedAt, seenAt, problem }) => {
		const silent = (new Date(serviceTime()) - new Date(seenAt)) / 1000;
		return [application, handlerVersion, time(startedAt),
			html`${time(seenAt)}${silent > 1500 ? html`<small class="warning">none for ${span(silent)}</small>` : nothing}`, problem];
	}), 'No service has registered.');

/** What is known without the artifact that examines the broker. */
const depths = (waiting) => html`
	${table('Waiting for a retry', ['!Queue', 'Type', 'Delay', '#Messages', 'All back by'], waiting.waiting.map((queue) =>
		[queue.queue, queue.messageType ?? 'shared', duration(queue.delay), queue.messages, time(queue.backBy)]))}
	${table('In parking lots', ['!Queue', 'Type', 'Owner', '#Messages'], waiting.parked.map((lot) =>
		[lot.queue, lot.messageType, lot.owner, lot.messages]))}`;

const findings = ({ findings: found, unexamined }) => html`<section aria-labelledby="doctor"><h2 id="doctor">Findings of the doctor</h2>
	${found.length ? html`<ul class="findings">${found.map(finding)}</ul>`
		: html`<p class="empty">${unexamined.length ? 'None in what could be examined.' : 'None.'}</p>`}
	${unexamined.length ? html`<details><summary>Not examined: ${String(unexamined.length)}</summary>
		<ul>${unexamined.map((what) => html`<li>${what}</li>`)}</ul></details>` : nothing}</section>`;

function finding({ severity, code, fact, why, remedy, commands }) {
	const level = severity.toLowerCase();
	const script = commands.join('\n');
	return html`<li><span class=${`badge ${level}`}>${level}</span> <strong>${code}</strong> ${fact}
		<details><summary>Why, and what to do</summary><p>${why}</p><p>${remedy}</p>
		${script ? html`<pre tabindex="0" role="group" aria-label="Commands">${script}</pre>${copyButton(script, 'the commands')}` : nothing}
		</details></li>`;
}

export const policies = {
	title: () => 'Policies',
	needs: 'retryexplain',
	list: true,

	async open(view) {
		view.set({ data: await view.read('retryexplain') });
	},

	render({ data, query }) {
		const length = seconds(query.outage) >= 0 ? query.outage : '1h';
		const submit = (event) => {
			event.preventDefault();
			go(href('policies', fields(event.target)));
		};
		return html`<form class="filter" aria-label="Outage" @submit=${submit}><div><label>Outage of <input name="outage" required maxlength="9"
				pattern="\\d+(s|m|h|d)" title="a length, such as 30s, 10m or 2h" autocomplete="off" .value=${length}></label><button>Show</button></div></form>
			${data ? html`${data.policies.map((each) => policy(each, seconds(length)))}
			${table('Rules, in the order in which they are asked', ['#Rule', '!If', 'Class', 'Reason', 'Action', 'Mode', '#Hits'],
				data.rules.map((rule) => [rule.index, rule.conditions, rule.failureClass, rule.reason,
					(rule.action ?? '') + (rule.delay ? ` after ${duration(rule.delay)}` : ''), rule.mode, rule.hits]),
				'No rules: the built-in ones apply.')}` : nothing}
			${commandLine(shell(['curl', `${actuator()}/retryexplain`]))}`;
	}
};

function policy(policy, length) {
	const id = `policy-${policy.queue}`;
	const longest = policy.delays.map((bounds) => seconds(bounds.at(-1)));
	const waited = longest.map((_, index) => longest.slice(0, index + 1).reduce((sum, delay) => sum + delay, 0));
	const more = policy.brokerAttempts - policy.delays.length;
	const parked = waited.length && !more ? `, parked after delays of at most ${span(waited.at(-1))}` : '';
	return html`<section aria-labelledby=${id}><h2 id=${id}>${policy.messageType}</h2>
		${facts([['Queue', policy.queue], ['Owner', policy.owner], ['Handler calls per delivery', number(policy.localAttempts)],
			['Retries by the broker', number(policy.brokerAttempts)], ['Ends after', duration(policy.maxRetryAge)],
			['Waits at most', policy.maxCumulativeDelay && duration(policy.maxCumulativeDelay)],
			['Worst case', `${plural(policy.worstCaseHandlerCalls, 'handler call')} for one message${parked}`],
			['Parks at once', policy.parkOn.join(', ')], ['Discards', policy.discardOn.join(', ')],
			['Parked now', html`<a href=${href('groups', { messageType: policy.messageType })}>causes</a>`]])}
		${table(`Delays of ${policy.messageType}`, ['!Retry', 'Waits', 'At the latest after'], policy.delays.map((bounds, index) =>
			[index + 1, bounds.map(duration).join(' to '), span(waited[index])]), 'No retries.')}
		${more > 0 ? html`<p class="hint">The other ${number(more)} wait as long as the last one.</p>` : nothing}
		<h3>In an outage of ${span(length)} that begins when a message first fails</h3>${outage(policy, length)}</section>`;
}
