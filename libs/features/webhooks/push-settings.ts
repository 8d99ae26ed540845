import { optional, type FieldValues } from '#libs/validation/request-fields.js';
import * as c from '#libs/values/values.js';

/** Prevents header injection. */
const visibleAscii = (max: number) =>
  c.pattern(new RegExp(`^[!-~](?:[ -~]{0,${max - 2}}[!-~])?$`), `1 to ${max} visible ASCII characters`);

export const PUSH_FIELDS = {
  config: optional(visibleAscii(100), 'With the form `a2a`: your name for the push configuration'),
  notification_token: optional(
    visibleAscii(1_000),
    'With the form `a2a`, in a request with a bearer token: sent as `X-A2A-Notification-Token` and never shown',
  ),
  auth_scheme: optional(
    c.pattern(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,40}$/, 'the name of an HTTP authentication scheme'),
    'With the form `a2a`: HTTP authentication scheme of the deliveries, for example `Bearer` or `Basic`',
  ),
  auth_credentials: optional(
    visibleAscii(3_000),
    'With `auth_scheme`, in a request with a bearer token: sent after the scheme in `Authorization` and never shown',
  ),
  a2a_version: optional(
    c.oneOf('1.0', '0.3'),
    'With the form `a2a`: version of A2A of the bodies, by default `1.0`. Those of `0.3` are bare tasks',
  ),
};
export type PushSettings = FieldValues<typeof PUSH_FIELDS>;

export function pushSettingsIn(fields: PushSettings): PushSettings {
  const names = Object.keys(PUSH_FIELDS) as (keyof PushSettings)[];
  return Object.fromEntries(names.flatMap(name => (fields[name] === undefined ? [] : [[name, fields[name]]])));
}

export const encodePushSettings = (settings: PushSettings) => new TextEncoder().encode(JSON.stringify(settings));
export const decodePushSettings = (stored: Uint8Array) => JSON.parse(new TextDecoder().decode(stored)) as PushSettings;

export function pushHeaders({ notification_token: token, auth_scheme, auth_credentials }: PushSettings) {
  return {
    ...(token !== undefined && { 'x-a2a-notification-token': token }),
    ...(auth_credentials !== undefined && { authorization: `${auth_scheme} ${auth_credentials}` }),
  };
}
