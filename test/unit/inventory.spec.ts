import { describe, expect, test } from '@jest/globals';
import { checkInventory, INVENTORY, type Inventory } from '#libs/service/inventory.js';

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
    [
      'streams',
      'connection',
      'libs/features/network/domain/connection.ts',
      'stream',
      'libs/features/streams.generated.ts',
    ],
    [
      'events',
      'Connected',
      'libs/features/network/domain/connection.ts',
      'event',
      'the stream in libs/features/network/domain/connection.ts',
    ],
    [
      'projections',
      'connections',
      'libs/features/network/views/connections.ts',
      'projection',
      'libs/features/projections.ts',
    ],
    ['features', 'network', 'libs/features/network/network.feature.ts', 'feature', 'libs/features/features.ts'],
    ['operations', 'connect', 'libs/features/network/connect.ts', 'verb', 'libs/features/network/network.feature.ts'],
    [
      'operations',
      'connections',
      'libs/features/network/connections.ts',
      'read',
      'libs/features/network/network.feature.ts',
    ],
    [
      'decisions',
      'read-delivery',
      'libs/features/deliveries/delivery-reader.ts',
      'decision',
      'libs/features/deliveries/deliveries.feature.ts',
    ],
    [
      'reactions',
      'ReadDeliveryReaction',
      'libs/features/deliveries/read-delivery.reaction.ts',
      'reaction',
      'libs/features/deliveries/deliveries.feature.ts',
    ],
  ] as const)('is reported with its file and its list: %s without %s', async (list, name, source, what, file) => {
    await expect(checkInventory(without(list, name))).rejects.toThrow(
      `${source} declares the ${what} ${name}, and ${file} does not list it.`,
    );
  });
});
