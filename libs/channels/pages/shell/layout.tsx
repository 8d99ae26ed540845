import type { ComponentChildren } from 'preact';
import { render } from 'preact-render-to-string';
import type { Path } from '#libs/kernel/page-paths.js';
import type { Assets } from './assets.js';
import type { BrowserSettings } from './browser-settings.js';
import { Footer, Header, SERVICE } from './header.js';
import type { AnyPage, Head } from './page.js';

export interface Shell {
  readonly assets: Assets;
  /** Address of the service without a trailing slash. */
  readonly baseUrl: string;
  readonly settings: BrowserSettings;
  readonly navigation: readonly AnyPage[];
}

interface LayoutProps extends Shell {
  readonly head: Head;
  /** Null for failure pages. */
  readonly path: Path | null;
  readonly scripts: readonly string[];
  readonly children: ComponentChildren;
}

/** Runs on every page. */
export const SITE_SCRIPT = 'site';

export const renderDocument = (props: LayoutProps): string => `<!doctype html>${render(<Layout {...props} />)}`;

const Layout = (props: LayoutProps) => (
  <html lang="en">
    <DocumentHead {...props} />
    <body {...(props.settings.playMoney && { class: 'play-money' })}>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <Header path={props.path} navigation={props.navigation} playMoney={props.settings.playMoney} />
      <main id="content">
        <p id="notice" role="status" tabIndex={-1} hidden />
        {props.children}
      </main>
      <Footer playMoney={props.settings.playMoney} />
    </body>
  </html>
);

function DocumentHead({ head, assets, baseUrl, path, scripts, settings }: LayoutProps) {
  const { title, picture, alternates = [], data } = head;
  const description = inOneLine(head.description);
  const fullTitle = title === SERVICE ? title : `${title} · ${SERVICE}`;
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>{fullTitle}</title>
      <meta name="description" content={description} />
      <link rel="stylesheet" href={assets.style} />
      <link rel="icon" type="image/svg+xml" href={assets.icon} />
      {path !== null && <link rel="canonical" href={baseUrl + path} />}
      {alternates.map(({ href, type, title }) => (
        <link key={href} rel="alternate" type={type} href={href} title={title} />
      ))}
      <meta property="og:site_name" content={SERVICE} />
      <meta property="og:type" content="website" />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      {path !== null && <meta property="og:url" content={baseUrl + path} />}
      {picture && <meta property="og:image" content={baseUrl + picture.path} />}
      {picture && <meta property="og:image:alt" content={picture.alt} />}
      {picture && <meta name="twitter:card" content="summary_large_image" />}
      {data && <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: scriptJson(data) }} />}
      <meta name="message-tag" content={JSON.stringify(settings.messageTag)} />
      {scripts.length > 0 && <meta name="browser-rpc" content={JSON.stringify(settings.rpc)} />}
      {settings.playMoney && <meta name="play-money" content="true" />}
      {[SITE_SCRIPT, ...scripts].map(name => (
        <script key={name} type="module" src={assets.script(name)} />
      ))}
    </head>
  );
}

/** Longer descriptions are cut in previews. */
const DESCRIPTION_CHARACTERS_MAX = 200;

function inOneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const characters = [...line];
  return characters.length <= DESCRIPTION_CHARACTERS_MAX
    ? line
    : `${characters.slice(0, DESCRIPTION_CHARACTERS_MAX - 1).join('')}…`;
}

/** Escapes `<`, so that no text can end the script element. */
const scriptJson = (data: object) => JSON.stringify(data).replaceAll('<', '\\u003c');
