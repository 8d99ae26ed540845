import { optional, type FieldValues } from '#libs/validation/request-fields.js';
import * as c from '#libs/validation/validators.js';

/** Letters, digits and signs of ASCII, so that it is one header field whatever it holds. */
const visibleAscii = (max: number) =>
  c.pattern(new RegExp(`^[!-~](?:[ -~]{0,${max - 2}}[!-~])?$`), `1 to ${max} visible characters of ASCII`);

/** What an A2A push configuration says besides its address (A2A 1.0, 4.3.1), as fields of a request. */
export const PUSH_FIELDS = {
  config: optional(visibleAscii(100), 'With the form `a2a`: how its owner calls the push configuration'),
  notification_token: optional(
    visibleAscii(1_000),
    'With the form `a2a` and a bearer token: sent as `X-A2A-Notification-Token`, and never shown',
  ),
  auth_scheme: optional(
    c.pattern(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,40}$/, 'the name of a scheme of HTTP authentication'),
    'With the form `a2a`: how the service says at the address who it is, as `Bearer` or `Basic`',
  ),
  auth_credentials: optional(
    visibleAscii(3_000),
    'With `auth_scheme` and a bearer token: sent behind it in `Authorization`, and never shown',
  ),
};
export type PushSettings = FieldValues<typeof PUSH_FIELDS>;

/** Those of a request. */
export function pushSettingsIn(fields: PushSettings): PushSettings {
  const names = Object.keys(PUSH_FIELDS) as (keyof PushSettings)[];
  return Object.fromEntries(names.flatMap(name => (fields[name] === undefined ? [] : [[name, fields[name]]])));
}

/** As the vault keeps them. */
export const encodePushSettings = (settings: PushSettings) => new TextEncoder().encode(JSON.stringify(settings));
export const decodePushSettings = (kept: Uint8Array) => JSON.parse(new TextDecoder().decode(kept)) as PushSettings;

/** The headers by which a receiver knows the service. */
export function pushHeaders({ notification_token: token, auth_scheme, auth_credentials }: PushSettings) {
  return {
    ...(token !== undefined && { 'x-a2a-notification-token': token }),
    ...(auth_credentials !== undefined && { authorization: `${auth_scheme} ${auth_credentials}` }),
  };
}
