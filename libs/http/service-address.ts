import { isSameOrigin } from './authentication/origin.js';

export class ServiceAddress {
  constructor(private readonly address: { readonly baseUrl: string }) {}

  get url(): string {
    return this.address.baseUrl;
  }

  /** Returns the origin that the caller used: a machine has several loopback names. */
  asCalled(host: string | readonly string[] | undefined): string {
    const { origin, protocol } = new URL(this.address.baseUrl);
    const called = `${protocol}//${String(host)}`;
    return isSameOrigin(called, origin) ? new URL(called).origin : origin;
  }
}
