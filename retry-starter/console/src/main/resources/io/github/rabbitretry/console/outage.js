// Copyright 2026 the Rabbit Retry authors.
// SPDX-License-Identifier: Apache-2.0

// The attempts of a message that first fails as an outage begins, by the delays of its policy.

import { html, number, plural, seconds, span, svg } from './text.js';

/** More attempts than these look like a line. */
const MOST = 5000;

const WIDTH = 1000;

/** One way that it can go: with the shortest or the longest delays that jitter draws. */
function run(policy, length, pick) {
	const attempts = [0];
	let waited = 0;
	const parked = (why) => ({ attempts, end: attempts.at(-1), why });
	while (attempts.at(-1) < length) {
		if (attempts.length > Math.min(policy.brokerAttempts, MOST)) {
			return parked(attempts.length > policy.brokerAttempts ? 'retries are exhausted' : 'more attempts than are shown');
		}
		waited += seconds(pick(policy.delays[attempts.length - 1] ?? policy.delays.at(-1)));
		if (waited > seconds(policy.maxRetryAge)) {
			return parked('the next attempt would exceed its age');
		}
		if (waited > (policy.maxCumulativeDelay ? seconds(policy.maxCumulativeDelay) : Infinity)) {
			return parked('the next delay would exceed their sum');
		}
		attempts.push(waited);
	}
	return { attempts, end: attempts.at(-1) };
}

function described({ attempts, end, why }, length) {
	const times = attempts.length > 12 ? [...attempts.slice(0, 11).map(span), '…', span(end)] : attempts.map(span);
	return why ? `is parked ${span(end)} after the first failure, since ${why}. ${plural(attempts.length, 'attempt')}: ${times.join(', ')}.`
		: `succeeds at attempt ${number(attempts.length)}, ${span(end - length)} after the outage. Attempts: ${times.join(', ')}.`;
}

/** The picture, and the same in words. */
export function outage(policy, length) {
	const runs = [['With the shortest delays it', run(policy, length, (bounds) => bounds[0])], 
		['With the longest delays it', run(policy, length, (bounds) => bounds.at(-1))]];
	const shown = policy.delays.some((bounds) => bounds.length > 1) ? runs : [['It', runs[0][1]]];
	const scale = (WIDTH - 10) / (Math.max(length, ...shown.map(([, { end }]) => end)) || 1);
	const mark = (name, at, row, width) => svg`<rect class=${name} x=${at * scale} y=${row * 24 + 4} width=${width} height="16"></rect>`;
	return html`<svg class="outage" role="img" viewBox=${`0 0 ${WIDTH} ${shown.length * 24}`} preserveAspectRatio="none"
			aria-label=${`Attempts of a message of ${policy.messageType} in an outage of ${span(length)}`}>
			<rect class="down" x="0" y="0" width=${length * scale} height=${shown.length * 24}></rect>
			${shown.map(([, { attempts, end, why }], row) => [...attempts.filter((at, index) =>
				!index || Math.floor(at * scale) > Math.floor(attempts[index - 1] * scale)).map((at) => mark(at < length ? 'again' : 'succeeded', at, row, 4)),
			why ? mark('failed', end + 5 / scale, row, 4) : ''])}</svg>
		<ul class="legend"><li class="down">outage</li><li class="again">fails</li>${shown.some(([, { why }]) => why)
			? html`<li class="failed">parked</li>` : ''}${shown.some(([, { why }]) => !why) ? html`<li class="succeeded">succeeds</li>` : ''}</ul>
		${shown.map(([name, way]) => html`<p class="hint">${name} ${described(way, length)}</p>`)}`;
}
