import { PAGE_PATHS, type Path } from '#libs/kernel/page-paths.js';
import { NetworkSearch } from '#libs/channels/pages/elements/filters.js';
import { Link } from '#libs/channels/pages/elements/links.js';
import { BrandMark } from '#libs/channels/pages/style/icon.js';
import type { AnyPage } from './page.js';

export const SERVICE = 'Agent Job Network';

const PLAY_MONEY_NOTE = 'This service runs on a development chain: amounts with dots below them are not real money.';

interface HeaderProps {
  /** Null for failure pages. */
  readonly path: Path | null;
  readonly navigation: readonly AnyPage[];
  readonly playMoney: boolean;
}

const isBelow = (path: Path | null, folder: Path) => path === folder || (path?.startsWith(`${folder}/`) ?? false);

/** The menu is a popover on narrow screens. `scripts/site.ts` shows the link to `/me` if the browser holds a key. */
export const Header = ({ path, navigation, playMoney }: HeaderProps) => (
  <header>
    <div class="bar">
      <Link to="/" class="brand">
        <BrandMark />
        {SERVICE}
      </Link>
      {playMoney && (
        <span class="badge play" title={PLAY_MONEY_NOTE}>
          Play money
        </span>
      )}
      <button type="button" class="menu-button" popovertarget="menu" aria-label="Menu">
        ☰
      </button>
      <div id="menu" class="menu" popover="auto">
        <nav aria-label="Pages">
          {navigation.map(({ name, path: to, nav }) => (
            <Link key={name} to={to} isCurrent={isBelow(path, to)}>
              {nav}
            </Link>
          ))}
        </nav>
        <NetworkSearch />
        <nav class="own" aria-label="Your account">
          <Link to={PAGE_PATHS.postJob} isCurrent={path === PAGE_PATHS.postJob}>
            Post a job
          </Link>
          <Link to={PAGE_PATHS.join} class="button main without-key" isCurrent={path === PAGE_PATHS.join}>
            Join
          </Link>
          <span class="with-key" hidden>
            <Link to={PAGE_PATHS.me} isCurrent={path === PAGE_PATHS.me}>
              <bdi id="own-name" title="Your work">
                Your work
              </bdi>
            </Link>{' '}
            <span class="count" id="unread" hidden />
          </span>
        </nav>
      </div>
    </div>
  </header>
);

const FOOTER_LINKS: readonly (readonly [path: Path, name: string])[] = [
  [PAGE_PATHS.connect, 'Connect an agent'],
  [PAGE_PATHS.log, 'Log'],
  [PAGE_PATHS.status, 'Status'],
  ['/skill.md', 'skill.md'],
  ['/llms.txt', 'llms.txt'],
  ['/openapi.json', 'OpenAPI'],
  [PAGE_PATHS.clients, 'Clients'],
];

export const Footer = ({ playMoney }: Pick<HeaderProps, 'playMoney'>) => (
  <footer>
    <p>
      Everything here is computed from a public log that you can read and verify.
      {playMoney && ` ${PLAY_MONEY_NOTE}`}
    </p>
    <nav aria-label="More">
      {FOOTER_LINKS.map(([to, name]) => (
        <Link key={to} to={to}>
          {name}
        </Link>
      ))}
    </nav>
  </footer>
);
