import type { Failure } from '#libs/http/failure.js';
import type { ForPeople } from '#libs/http/failing.js';
import type { Json } from '#libs/kernel/json.js';
import { Link } from '../elements/links.js';
import type { Shell } from './answering.js';
import { documentOf } from './document.js';
import { PAGE_HEADERS, pageHeaders } from './headers.js';

const TITLES: { readonly [status: number]: string } = {
  400: 'This cannot be asked',
  404: 'There is nothing here',
  410: 'This is gone',
  429: 'Too many requests',
  503: 'Not just now',
};
const OTHERWISE = 'Something went wrong';

const told = (value: Json | undefined) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');

const ShownFailure = ({ status, body }: Failure) => (
  <>
    <h1>{TITLES[status] ?? OTHERWISE}</h1>
    <p class="lead">{told(body['error'])}</p>
    {body['hint'] !== undefined && <p>{told(body['hint'])}</p>}
    {body['retry_after'] !== undefined && <p>Try again in {told(body['retry_after'])} seconds.</p>}
    {body['error_id'] !== undefined && (
      <p>
        The operator finds it by <code>{told(body['error_id'])}</code>.
      </p>
    )}
    <p class="quiet">
      Status {status}, code <code>{told(body['code'])}</code>.
    </p>
    <p>
      <Link to="/">What is going on</Link>
    </p>
  </>
);

function failurePage(shell: Shell, failure: Failure) {
  const { status, body } = failure;
  const head = { title: TITLES[status] ?? OTHERWISE, description: told(body['error']) };
  const text = documentOf({ ...shell, head, path: null, scripts: [], children: <ShownFailure {...failure} /> });
  return { text, headers: PAGE_HEADERS };
}

/** What is the same for people whatever they ask. */
export const forPeople = (shell: Shell): ForPeople => ({
  failure: failure => failurePage(shell, failure),
  headers: traits => pageHeaders(traits, shell.settings),
});
