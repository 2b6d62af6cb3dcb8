// Copyright 2026 the Rabbit Retry authors.
// SPDX-License-Identifier: Apache-2.0

// The page around the views: which one the address means, what all have in common, and what went wrong.

import { discard, replay, restore } from './act.js';
import { ask, logout, missing, openSession, session } from './api.js';
import { audit } from './audit.js';
import { groups } from './groups.js';
import { job, jobs } from './jobs.js';
import { message } from './message.js';
import { bin, messages } from './messages.js';
import { actor, href } from './parts.js';
import { html, memory, nothing, render, visible, zones } from './text.js';
import { policies, topology } from './topology.js';

const VIEWS = { groups, messages, message, replay, discard, restore, jobs, job, audit, bin, topology, policies };

const MENU = { groups: 'Causes', messages: 'Messages', jobs: 'Replays', audit: 'Audit', bin: 'Bin', topology: 'Topology', policies: 'Policies' };

/** In the menu, a view counts as part of another. */
const PART_OF = { message: 'messages', replay: 'groups', discard: 'groups', restore: 'bin', job: 'jobs' };

const remembered = memory('sessionStorage');

const root = document.getElementById('app');
root.replaceChildren();

let view = null;
let problem = null;
let notice = '';

/** What a view knows and may do. A view that is no longer shown changes nothing. */
class View {

	constructor(name, id, query, data) {
		Object.assign(this, { name, id, query, data, busy: false, aborted: new AbortController() });
	}

	get current() {
		return view === this;
	}

	get module() {
		return VIEWS[this.name];
	}

	set(values) {
		Object.assign(this, values);
		if (this.current) {
			draw();
		}
	}

	has(endpoint) {
		return endpoint in session.endpoints;
	}

	read(endpoint, path, values) {
		return ask('GET', endpoint, path, values, this.aborted.signal);
	}

	write(endpoint, path, values) {
		return ask('POST', endpoint, path, values);
	}

	async run(what) {
		problem = null;
		this.set({ busy: true });
		try {
			await what();
		}
		catch (failure) {
			this.fail(failure);
		}
		this.set({ busy: false });
	}

	fail(failure, source) {
		// what was requested and refused is said even if another view is shown by now
		if ((this.current || this.busy) && failure.name !== 'AbortError') {
			problem = { text: failure.message, source, login: failure.status === 401 };
			draw();
			root.querySelector('.problem')?.scrollIntoView({ block: 'nearest' });
		}
	}

	recovered(source) {
		if (problem?.source === source) {
			problem = null;
		}
	}

}

/** The view that an address means: #/name/id?arguments. */
function parse(hash) {
	const [path, query = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s);
	const [name, id] = path.split('/').map(decode);
	const unknown = name && !Object.hasOwn(VIEWS, name) ? name : '';
	return [unknown || !name ? 'groups' : name, id, Object.fromEntries(new URLSearchParams(query)), unknown];
}

function decode(text) {
	try {
		return decodeURIComponent(text);
	}
	catch {
		return text;
	}
}

function go() {
	const [name, id, query, unknown] = parse(location.hash);
	const before = view;
	const again = before?.address === location.hash;
	const same = before?.name === name && before.id === id;
	clearTimeout(before?.timer);
	before?.aborted.abort();
	problem = null;
	notice = unknown ? `There is no view '${unknown}'. These are the causes.` : '';
	// a list that is read again shows what it had until there is something else; acts begin from nothing
	view = new View(name, id, query, again && view.module.list ? before.data : undefined);
	view.address = location.hash;
	if (!same || !view.module.list) {
		const next = view;
		view = null;
		draw();
		view = next;
	}
	draw();
	document.querySelectorAll('form[role=search] [name]').forEach((field) => {
		field.value = query[field.name] ?? (field.name === 'state' && name !== 'jobs' ? 'PARKED' : '');
	});
	if (before && !same) {
		document.getElementById('title').focus();
	}
	if (exposed(view)) {
		view.run(() => view.module.open(view));
	}
}

const exposed = ({ module }) => [module.needs].flat().some((endpoint) => endpoint in session.endpoints);

/** Production is red everywhere; other environments have a colour of their own. */
function colour(environment) {
	const sum = [...environment].reduce((hash, sign) => (hash * 31 + sign.codePointAt(0)) % 997, 7);
	return /^(prod|live|prd)/i.test(environment) ? 'production' : `environment-${sum % 5}`;
}

function draw() {
	const content = contentOf();
	const title = view ? view.module.title(view) : '';
	document.title = visible([title, session.application, session.environment, 'Rabbit Retry'].filter(Boolean).join(' – '));
	const part = view && (PART_OF[view.name] ?? view.name);
	const zone = (event) => {
		zones.use(event.target.value);
		draw();
	};
	render(html`<a class="skip" href="#main" @click=${skip}>Skip to the content</a>
		<header>${session.environment
			? html`<div class=${`banner ${colour(session.environment)}`}>${session.environment}</div>` : nothing}
			<strong>${session.application || 'Rabbit Retry'}</strong>
			<nav aria-label="Views">${Object.entries(MENU).map(([name, label]) =>
				html`<a href=${href(name)} aria-current=${name === part ? 'page' : nothing}>${label}</a>`)}</nav>
			<span class="user">${session.user || (actor() ? `acting as ${actor()}` : 'not logged in')}${session.logout ? html` <a href=${logout()}>Log out</a>` : nothing}</span>
			<label>Times <select @change=${zone}>${zones.all.map((name) =>
				html`<option value=${name} ?selected=${name === zones.current}>${name}</option>`)}</select></label></header>
		<main id="main" tabindex="-1"><div class="top"><h1 id="title" tabindex="-1">${title}</h1>
			<div class="notice" role="status">${notice}${view?.busy ? html` <span class="loading">Loading …</span>` : nothing}</div></div>
			<div role="alert">${problem ? html`<p class="problem">${problem.text} ${problem.login
				? html`<a href=${location.href} target="_blank">Log in in a new tab</a> and try again here: what you have typed stays.` : nothing} <button @click=${() => {
				problem = null;
				draw();
			}}>Dismiss</button></p>` : nothing}</div>
			<div aria-busy=${view?.busy ? 'true' : 'false'}>${content}</div></main>`, root);
}

/** What a view shows. One that fails shows nothing: least of all the acts of the view before it, under its own address. */
function contentOf() {
	if (!view) {
		return nothing;
	}
	try {
		return exposed(view) ? view.module.render(view) : html`<p class="note">${missing([view.module.needs].flat()[0])}</p>`;
	}
	catch (failure) {
		problem = { text: `This view can't be shown: ${failure.message}` };
		return nothing;
	}
}

function skip(event) {
	event.preventDefault();
	document.getElementById('main').focus();
}

document.addEventListener('notice', (event) => {
	notice = event.detail;
	draw();
});

document.addEventListener('keydown', (event) => {
	const search = document.getElementById('search');
	if (event.key === '/' && search && !event.ctrlKey && !event.altKey && !event.metaKey
		&& !event.target.closest('input, textarea, select')) {
		event.preventDefault();
		search.focus();
	}
});

document.addEventListener('visibilitychange', () => {
	if (!document.hidden) {
		view?.module.shown?.(view);
	}
});

// without a view, the session could not be opened
// what a browser has kept of the page may be of a session that has ended
window.addEventListener('pageshow', ({ persisted }) => {
	if (persisted) {
		root.replaceChildren();
		location.reload();
	}
});

window.addEventListener('hashchange', () => view ? go() : location.reload());

try {
	await openSession();
	// a login page that knew of an address may have kept it
	const address = remembered.get('address');
	if (address) {
		remembered.set('address', '');
		history.replaceState(null, '', location.hash || address);
	}
	go();
}
catch (failure) {
	problem = { text: failure.status === 401 ? `${failure.message} Reload the page to log in.` : failure.message };
	draw();
}
