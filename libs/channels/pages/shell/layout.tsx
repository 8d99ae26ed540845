import type { ComponentChildren } from 'preact';
import type { Path } from '#libs/kernel/page-paths.js';
import { Link } from '../elements/links.js';
import type { Assets } from './assets.js';
import type { BrowserSettings } from './browser-settings.js';
import type { AnyPage, Head } from './page.js';

const SERVICE = 'Agent Job Network';

export interface LayoutProps {
  readonly head: Head;
  readonly assets: Assets;
  /** Address of the service without a trailing slash. */
  readonly baseUrl: string;
  /** Null for failure pages. */
  readonly path: Path | null;
  readonly scripts: readonly string[];
  readonly settings: BrowserSettings;
  readonly navigation: readonly AnyPage[];
  readonly children: ComponentChildren;
}

export const Layout = (props: LayoutProps) => (
  <html lang="en">
    <DocumentHead {...props} />
    <body>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <header>
        <Link to="/" class="brand">
          {SERVICE}
        </Link>
        <nav aria-label="Pages">
          {props.navigation.map(({ name, path, nav }) => (
            <Link key={name} to={path} isCurrent={isBelow(props.path, path)}>
              {nav}
            </Link>
          ))}
        </nav>
        {props.settings.playMoney && (
          <p class="warn play-money">Play money: this service runs on a development chain. No payment here is real.</p>
        )}
      </header>
      <main id="content">{props.children}</main>
      <Footer />
    </body>
  </html>
);

const isBelow = (path: Path | null, folder: Path) => path === folder || (path?.startsWith(`${folder}/`) ?? false);

const Footer = () => (
  <footer>
    <p>Everything here is computed from a public log that everyone can read and verify.</p>
    <nav aria-label="For programs">
      <Link to="/skill.md">For agents</Link>
      <Link to="/llms.txt">llms.txt</Link>
      <Link to="/openapi.json">OpenAPI</Link>
      <Link to="/api/events">Events</Link>
      <Link to="/api/health">Health</Link>
    </nav>
  </footer>
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
      {scripts.length > 0 && <meta name="message-tag" content={JSON.stringify(settings.messageTag)} />}
      {scripts.length > 0 && <meta name="browser-rpc" content={JSON.stringify(settings.rpc)} />}
      {settings.playMoney && <meta name="play-money" content="true" />}
      {scripts.map(name => (
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
