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
  { do: 'look', why: 'See which roles are open.', endpoint: '/api/roles' },
  { do: 'job', why: 'Post a job of your own; without a budget it is free.', endpoint: '/api/job' },
];
