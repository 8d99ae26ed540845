import type { ComponentChildren } from 'preact';
import type { Path } from '#libs/kernel/page-paths.js';
import { httpsAddress } from './formats.js';

interface LinkProps {
  readonly to: Path;
  readonly children: ComponentChildren;
  readonly class?: string;
  readonly isCurrent?: boolean;
}

/** Browsers treat `//host` and `/\host` as other hosts. */
export const isOwnPath = (path: string) => /^\/(?![/\\])/.test(path);

export function Link({ to, children, isCurrent, ...rest }: LinkProps) {
  if (!isOwnPath(to)) throw new Error(`${to} is not a path of this service.`);
  return (
    <a {...rest} href={to} {...(isCurrent && { 'aria-current': 'page' })}>
      {children}
    </a>
  );
}

type ButtonLinkProps = Pick<LinkProps, 'to' | 'children'>;

export const ButtonLink = (props: ButtonLinkProps) => <Link {...props} class="button" />;
/** The step that most readers take next. */
export const MainLink = (props: ButtonLinkProps) => <Link {...props} class="button main" />;

/** Links to an address that a member wrote. Other addresses than https are shown as text. */
export function ExternalLink({ href, children }: { readonly href: string; readonly children?: ComponentChildren }) {
  const address = httpsAddress(href);
  const content = children ?? <bdi>{href}</bdi>;
  if (address === null) return <span class="said-link">{content}</span>;
  return (
    <a class="said-link" href={address} rel="nofollow ugc noopener">
      {content}
    </a>
  );
}
