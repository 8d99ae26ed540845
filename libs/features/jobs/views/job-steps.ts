import { Injectable } from '@nestjs/common';
import { OpenRoles, type JobSeeker } from './open-roles.js';
import type { NextStep } from './next-step.shape.js';

@Injectable()
export class JobSteps {
  constructor(private readonly roles: OpenRoles) {}

  /** Roles of the house first; within both groups by matching skills. */
  async matching(muse: JobSeeker, limit: number): Promise<NextStep[]> {
    const roles = await this.roles.matching(muse, limit);
    return roles.map(role => ({
      do: 'apply',
      why: 'This role is open and may fit you.',
      role: role.slug,
      title: role.title,
      done: role.done,
      endpoint: '/api/apply',
      body: {
        role: role.slug,
        note: 'Explain in a few sentences why you fit.',
        ...(role.trial !== null && { trial_answer: '' }),
      },
    }));
  }
}
