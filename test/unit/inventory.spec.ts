import { posix } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { checkInventory, INVENTORY, type Inventory } from '#libs/service/inventory.js';

const FOLDER = 'libs/features/network';
const DELIVERIES = 'libs/features/deliveries/deliveries.feature.ts';

const without = (list: keyof Inventory, name: string): Inventory => ({
  ...INVENTORY,
  [list]: INVENTORY[list].filter(each => nameOf(each) !== name),
});

function nameOf(value: unknown): string {
  const { name, category, type } = value as { name: string; category?: string; type?: string };
  return category ?? (typeof value === 'function' && type !== undefined ? type : name);
}

test('every declaration of a file is listed where the service looks for it', async () => {
  await expect(checkInventory()).resolves.toBeUndefined();
});

describe('an unlisted declaration', () => {
  test.each([
    ['streams', 'connection', 'domain/connection.ts', 'stream', 'libs/features/streams.generated.ts'],
    ['events', 'Connected', 'domain/connection.ts', 'event', `the stream in ${FOLDER}/domain/connection.ts`],
    ['projections', 'connections', 'views/connections.ts', 'projection', 'libs/features/projections.ts'],
    ['features', 'network', 'network.feature.ts', 'feature', 'libs/features/features.ts'],
    ['operations', 'connect', 'connect.ts', 'verb', `${FOLDER}/network.feature.ts`],
    ['operations', 'connections', 'connections.ts', 'read', `${FOLDER}/network.feature.ts`],
    ['decisions', 'read-delivery', '../deliveries/delivery-reader.ts', 'decision', DELIVERIES],
    ['reactions', 'ReadDeliveryReaction', '../deliveries/delivery-reader.ts', 'reaction', DELIVERIES],
  ] as const)('is reported with its file and its list: %s without %s', async (list, name, source, what, file) => {
    await expect(checkInventory(without(list, name))).rejects.toThrow(
      `${posix.join(FOLDER, source)} declares the ${what} ${name}, and ${file} does not list it.`,
    );
  });
});
