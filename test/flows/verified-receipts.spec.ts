import { beforeAll, expect, test } from '@jest/globals';
import { InvalidReceipt, type NetworkReader, verifyReceipt } from '#libs/client/index.js';
import { Issuer } from '#libs/issuer/issuer.js';
import { systemClock } from '#libs/kernel/clock.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { PURCHASES } from '../purchases.js';
import type { SignedPurchase } from '../purchase-fixture.js';
import { requireOk } from '../raw-agent.js';
import { useWorld } from '../use-world.js';

const world = useWorld();
type Source = Parameters<typeof verifyReceipt>[0];

let payment: SignedPurchase;
let jws: string;
beforeAll(async () => {
  const purchase = await PURCHASES['job']!(world, 'usdc-base');
  payment = await purchase.sign();
  jws = receiptIn(requireOk(await purchase.payUntilSettled(payment)).body);
});

const receiptIn = ({ extensions }: JsonObject) =>
  (extensions as { 'offer-receipt': { info: { receipt: { signature: string } } } })['offer-receipt'].info.receipt
    .signature;

/** Signs a changed receipt with the key of the service. */
async function changed(members: JsonObject): Promise<string> {
  const payload = JSON.parse(Buffer.from(jws.split('.')[1]!, 'base64url').toString()) as JsonObject;
  const { journal, vault } = world.service.stores;
  const issuer = await Issuer.open({ journal, vault, clock: systemClock, address: { baseUrl: world.url } }, null);
  return issuer.signJws({ ...payload, ...members });
}

type Events = Awaited<ReturnType<NetworkReader['events']>>['events'];

/** A service that shows other events than it has. */
function lying(change: (events: Events) => Events): Source {
  const reader = world.reader();
  return {
    issuer: () => reader.issuer(),
    events: async fields => {
      const answer = await reader.events(fields);
      return { ...answer, events: change(answer.events) };
    },
  };
}

test('a receipt is verified against the keys and the log of its service', async () => {
  expect(await verifyReceipt(world.reader(), jws)).toMatchObject({
    payment: payment.id,
    payer: payment.authorization.from,
    amount: '500000',
    resourceUrl: `${world.url}/api/job`,
    isLost: false,
  });
});

test.each<[string, JsonObject, RegExp]>([
  ['payer', { payer: `0x${'1'.repeat(40)}` }, /its payer is 0x1{40}, and that of the log 0x/],
  ['transaction', { transaction: `0x${'1'.repeat(64)}` }, /its transaction is/],
  ['network', { network: 'eip155:4663' }, /its network is eip155:4663, and that of the log eip155:8453/],
  ['time', { issuedAt: 1 }, /its issuedAt is 1/],
  ['effect', { void: 'role_closed' }, /its void is role_closed, and that of the log null/],
  ['resource', { resourceUrl: 'https://jobs.example/api/verify' }, /its resourceUrl is .api.verify/],
  ['digest', { eventDigest: '0'.repeat(64) }, /the log has no event with the digest 0{64}/],
  ['kind', { version: 2 }, /it is the signature of another document/],
])('a signed receipt with another %s than the log is refused', async (_name, members, reason) => {
  const verified = verifyReceipt(world.reader(), await changed(members));
  await expect(verified).rejects.toThrow(InvalidReceipt);
  await expect(verified).rejects.toThrow(reason);
});

test('a receipt with a wrong signature or of another service is refused', async () => {
  const [head, body] = jws.split('.') as [string, string];
  const signature = Buffer.alloc(64, 1).toString('base64url');
  await expect(verifyReceipt(world.reader(), `${head}.${body}.${signature}`)).rejects.toThrow('signature is wrong');
  await expect(verifyReceipt(world.reader(), 'a receipt')).rejects.toThrow('no compact JWS');
  const keys = (await world.reader().issuer()).keys.map(key => ({ ...key, kid: 'another key' }));
  const other = { ...lying(events => events), issuer: async () => ({ ...(await world.reader().issuer()), keys }) };
  await expect(verifyReceipt(other, jws)).rejects.toThrow('the service never had the key');
  const retired = (await world.reader().issuer()).keys.map(key => ({ ...key, until: 1 }));
  const late = { ...other, issuer: async () => ({ ...(await world.reader().issuer()), keys: retired }) };
  await expect(verifyReceipt(late, jws)).rejects.toThrow('was retired');
});

test('a receipt is refused if the log lacks an event of its payment or changed one', async () => {
  const without = (type: string) => lying(events => events.filter(event => event.type !== type));
  await expect(verifyReceipt(without('PaymentSettled'), jws)).rejects.toThrow('no event with the digest');
  await expect(verifyReceipt(without('PaymentApplied'), jws)).rejects.toThrow('no PaymentApplied');
  const cheaper = lying(events =>
    events.map(event =>
      event.type === 'PaymentAccepted' ? { ...event, data: { ...event.data, amount: '1' } } : event,
    ),
  );
  await expect(verifyReceipt(cheaper, jws)).rejects.toThrow('the digest of the event');
});
