import type { Failure } from '#libs/http/failure.js';
import type { HtmlPresenter } from '#libs/http/send-failure.js';
import type { Json } from '#libs/kernel/json.js';
import { Link } from '../elements/links.js';
import type { Shell } from './page-renderer.js';
import { renderDocument } from './document.js';
import { PAGE_HEADERS, pageHeaders } from './headers.js';

const TITLES: { readonly [status: number]: string } = {
  400: 'This request is invalid',
  404: 'Page not found',
  410: 'This was removed',
  429: 'Too many requests',
  503: 'Temporarily unavailable',
};
const OTHER_TITLE = 'Something went wrong';

const textOf = (value: Json | undefined) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

const FailureContent = ({ status, body }: Failure) => (
  <>
    <h1>{TITLES[status] ?? OTHER_TITLE}</h1>
    <p class="lead">{textOf(body['error'])}</p>
    {body['hint'] !== undefined && <p>{textOf(body['hint'])}</p>}
    {body['retry_after'] !== undefined && <p>Try again in {textOf(body['retry_after'])} seconds.</p>}
    {body['error_id'] !== undefined && (
      <p>
        Tell the operator this error id: <code>{textOf(body['error_id'])}</code>.
      </p>
    )}
    <p class="quiet">
      Status {status}, code <code>{textOf(body['code'])}</code>.
    </p>
    <p>
      <Link to="/">Home page</Link>
    </p>
  </>
);

function failurePage(shell: Shell, failure: Failure) {
  const { status, body } = failure;
  const head = { title: TITLES[status] ?? OTHER_TITLE, description: textOf(body['error']) };
  const text = renderDocument({ ...shell, head, path: null, scripts: [], children: <FailureContent {...failure} /> });
  return { text, headers: PAGE_HEADERS };
}

export const createHtmlPresenter = (shell: Shell): HtmlPresenter => ({
  failure: failure => failurePage(shell, failure),
  headers: traits => pageHeaders(traits, shell.settings),
});
