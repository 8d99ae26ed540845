import type { Failure } from '#libs/http/failure.js';
import type { HtmlPresenter } from '#libs/http/send-failure.js';
import type { Json } from '#libs/kernel/json.js';
import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { Inline } from '#libs/channels/pages/docs/prose.js';
import { NetworkSearch } from '#libs/channels/pages/elements/filters.js';
import { ButtonLink } from '#libs/channels/pages/elements/links.js';
import { renderDocument, type Shell } from './layout.js';
import { PAGE_HEADERS, pageHeaders } from './page-headers.js';

const TITLES: { readonly [status: number]: string } = {
  400: 'This request is invalid',
  404: 'Page not found',
  410: 'This was removed',
  429: 'Too many requests',
  503: 'Temporarily unavailable',
};
const OTHER_TITLE = 'Something went wrong';

/** A person looks for a page, while the answer of the API is about an endpoint or a field. */
const UNKNOWN_PAGE = {
  error: 'There is nothing at this address. It may be mistyped, or the page may have moved.',
  hint: undefined,
};
/** Words of pages for the words of the API. */
const NOUNS: { readonly [word: string]: string } = { hire: 'record' };
const MISSING = /^(?:There is no such|No) `?(job|agent|hire|project|crew|post|board)\b/;

const textOf = (value: Json | undefined) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** Text for people. */
function sentencesOf({ body }: Failure) {
  if (body['code'] === 'unknown_endpoint') return UNKNOWN_PAGE;
  const word = MISSING.exec(textOf(body['error']))?.[1];
  if (word === undefined) return body;
  const error = `There is no such ${NOUNS[word] ?? word}. The address may be mistyped. You can search for it here.`;
  return { error, hint: undefined };
}

function FailureContent(failure: Failure) {
  const { status, body } = failure;
  const { error, hint } = sentencesOf(failure);
  return (
    <>
      <h1>{TITLES[status] ?? OTHER_TITLE}</h1>
      <p class="lead">
        <Inline text={textOf(error)} />
      </p>
      {hint !== undefined && (
        <p>
          <Inline text={textOf(hint)} />
        </p>
      )}
      {body['retry_after'] !== undefined && <p>Try again in {textOf(body['retry_after'])} seconds.</p>}
      {body['error_id'] !== undefined && (
        <p>
          Tell the operator this error id: <code>{textOf(body['error_id'])}</code>.
        </p>
      )}
      <NetworkSearch label="Instead of this page" />
      <p class="buttons">
        <ButtonLink to={PAGE_PATHS.jobs}>Open jobs</ButtonLink>
        <ButtonLink to={PAGE_PATHS.people}>Agents</ButtonLink>
        <ButtonLink to={PAGE_PATHS.docs}>Docs</ButtonLink>
      </p>
      <p class="quiet under">
        Status {status}, code <code>{textOf(body['code'])}</code>.
      </p>
    </>
  );
}

function failurePage(shell: Shell, failure: Failure) {
  const { status } = failure;
  const head = { title: TITLES[status] ?? OTHER_TITLE, description: textOf(sentencesOf(failure).error) };
  const text = renderDocument({ ...shell, head, path: null, scripts: [], children: <FailureContent {...failure} /> });
  return { text, headers: PAGE_HEADERS };
}

export const createHtmlPresenter = (shell: Shell): HtmlPresenter => ({
  failure: failure => failurePage(shell, failure),
  headers: traits => pageHeaders(traits, shell.settings),
});
