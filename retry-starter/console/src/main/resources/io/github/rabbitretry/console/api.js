// Copyright 2026 the Rabbit Retry authors.
// SPDX-License-Identifier: Apache-2.0

// Requests to the endpoints of the service that serves this page.

/** Where this file is: …/actuator/retryconsole/. The endpoints are beside it, whatever prefix a proxy puts in front. */
const here = new URL('./', import.meta.url);
const endpoints = new URL('../', here);

export const session = { application: '', environment: '', user: '', password: false, logout: '', base: '', endpoints: {} };

/** Whether the user may do something: replay, discard or edit. */
export const may = (right) => session.permitted?.includes(right) ?? true;

/** What the command line takes as --url. */
export const actuator = () => new URL(session.base, endpoints).href.replace(/\/$/, '');

/** The page to log out at. */
export const logout = () => new URL(session.logout, endpoints).href;

let csrf = null;

let ahead = 0;

/** The time of the service, which a browser's clock may differ from. */
export const serviceTime = () => new Date(Date.now() + ahead).toISOString();

export class Refusal extends Error {
	constructor(status, message) {
		super(message);
		this.status = status;
	}
}

const LOGIN = 'You are not logged in, or the session has ended.';

/** Who is logged in, which endpoints there are, and the token that writes need. */
export async function openSession() {
	const answer = await send(new URL('session', here), {});
	if (!answer.body) {
		throw refusal(answer, 'retryconsole');
	}
	Object.assign(session, { environment: '', user: '', password: false, logout: '', base: '', permitted: undefined, services: undefined, endpoints: {} }, answer.body);
	const header = answer.response.headers.get('X-Console-Csrf-Header');
	csrf = header ? [header, answer.response.headers.get('X-Console-Csrf-Token')] : null;
}

/** Asks an endpoint. Arguments without a value are left out; path and values come from people and are encoded. */
export async function ask(method, id, path = [], given = {}, signal = undefined) {
	if (!(id in session.endpoints)) {
		throw new Refusal(404, missing(id));
	}
	const values = Object.entries(given).filter(([name, value]) =>
		value != null && (value !== '' || name === 'body' || name.startsWith('header.')));
	const url = new URL([session.endpoints[id], ...path.map((part) => encodeURIComponent(part))].join('/'), endpoints);
	const options = { method, signal };
	if (method === 'GET') {
		url.search = new URLSearchParams(values).toString();
	}
	else {
		options.body = JSON.stringify(Object.fromEntries(values.map(([name, value]) => [name, String(value)])));
	}
	let answer = await send(url, options);
	if (answer.response.status === 401 || answer.response.status === 403) {
		// a login as another user, or a token of a session that has ended: nothing was done yet
		const before = String(csrf);
		const { user } = session;
		await openSession().catch((failure) => {
			if (failure.status === 401) {
				throw failure;
			}
		});
		if (method !== 'GET' && String(csrf) !== before && session.user === user) {
			answer = await send(url, options);
		}
	}
	if (answer.response.ok && answer.body) {
		return answer.body;
	}
	throw refusal(answer, id);
}

async function send(url, options) {
	const headers = { Accept: 'application/json' };
	if (options.body !== undefined) {
		headers['Content-Type'] = 'application/json';
		if (csrf) {
			headers[csrf[0]] = csrf[1];
		}
	}
	try {
		const response = await fetch(url, { ...options, headers, cache: 'no-store', redirect: 'manual' });
		ahead = Date.parse(response.headers.get('Date')) + 1000 - Date.now() || ahead;
		return { response, body: parse(await response.text()) };
	}
	catch (failure) {
		if (failure.name === 'AbortError') {
			throw failure;
		}
		throw new Refusal(0, 'The service does not answer.'
			+ (options.body !== undefined ? ' It is unknown whether it was done: the audit shows it.' : ''));
	}
}

/** Causes by their ids, as far as answers have named them. */
export const causes = new Map();

function learn(name, value) {
	for (const cause of name === 'cause' || name === 'causes' ? [value].flat() : []) {
		if (cause?.id) {
			causes.set(cause.id, cause);
		}
	}
	return value;
}

function parse(text) {
	try {
		return JSON.parse(text, learn);
	}
	catch {
		return null;
	}
}

function refusal({ response, body }, id) {
	if (response.type === 'opaqueredirect' || response.status === 401) {
		return new Refusal(401, LOGIN);
	}
	const said = body && !body.path && (body.error ?? body.problem);
	return new Refusal(response.status, said || {
		403: 'You are not allowed to do this.',
		404: missing(id),
		405: `Write access is off: management.endpoint.${id}.access is not 'unrestricted'.`
	}[response.status] || `The service answered with status ${response.status}.`);
}

/** Why there is no such endpoint, and what exposes it. */
export function missing(id) {
	const from = { retrytopology: 'rabbit-retry-operations', retryexplain: 'rabbit-retry', waitingretries: 'rabbit-retry' };
	return `The endpoint '${id}' is not there or not exposed. Add it to management.endpoints.web.exposure.include;`
		+ ` it comes with the artifact ${from[id] ?? 'rabbit-retry-parking'}.`;
}
