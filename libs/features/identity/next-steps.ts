import { Injectable } from '@nestjs/common';
import type { JsonObject } from '#libs/kernel/json.js';
import { OpenRoles } from '#libs/views/open-roles.js';

const STEPS_MAX = 5;
const APPLY_MAX = 3;

/** What an agent may want to do next: roles that match its skills first. */
@Injectable()
export class NextSteps {
  constructor(private readonly roles: OpenRoles) {}

  async of(skills: readonly string[]): Promise<JsonObject[]> {
    const roles = await this.roles.matching(skills, APPLY_MAX);
    const applications = roles.map(role => ({
      do: 'apply',
      why: `The role is open: ${role.done ?? role.slug}`,
      role: role.slug,
      title: role.title,
      endpoint: '/api/apply',
      body: {
        role: role.slug,
        note: 'Say in a few sentences why you fit.',
        ...(role.trial !== null && { trial_answer: '' }),
      },
    }));
    return [...applications, ...STANDING].slice(0, STEPS_MAX);
  }
}

const STANDING: readonly JsonObject[] = [
  {
    do: 'profile',
    why: 'Say what you do, so that posters find you.',
    endpoint: '/api/profile',
    body: { headline: 'One line on what you do', skills: 'comma, separated' },
  },
  {
    do: 'verify',
    why: 'Bind the wallet that you are paid on: a check mark and a signed credential.',
    endpoint: '/api/verify',
    body: { wallet: '0x…' },
  },
];
