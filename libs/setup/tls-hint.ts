/** OpenSSL's messages name neither the option nor the setting. */
const HINTS: readonly (readonly [RegExp, (setting: string) => string])[] = [
  [
    /wrong version number|packet length too long|http_request|EPROTO/i,
    setting => `The server does not speak TLS: ${withoutTls(setting)}, or turn TLS on at the server.`,
  ],
  [
    /self.signed certificate|unable to (verify|get)|certificate signed by unknown|DEPTH_ZERO/i,
    setting => `Its certificate is not trusted: name the file of its authority as tlsCAFile in ${setting}.`,
  ],
  [/altnames|does not match certificate/i, setting => `Its certificate is for another host than ${setting} names.`],
  [/certificate has expired/i, () => 'Its certificate has expired.'],
];

const withoutTls = (setting: string) =>
  setting === 'EVENTSTORE_URL' ? `add tls=false to ${setting}` : `remove tls=true from ${setting}`;

/** Returns undefined if TLS is not the cause. */
export function tlsHint(setting: string, error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { message } = at;
    const [, hint] = HINTS.find(([pattern]) => pattern.test(message)) ?? [];
    if (hint) return hint(setting);
  }
  return undefined;
}
