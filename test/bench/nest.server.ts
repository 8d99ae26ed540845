import 'reflect-metadata';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';

@Controller()
class OneRoute {
  @Get('api/health/live')
  live() {
    return { ok: true };
  }
}

@Module({ controllers: [OneRoute] })
class OneModule {}

/** Baseline start time of a Nest application: one route and nothing else. */
const app = await NestFactory.create<NestFastifyApplication>(OneModule, new FastifyAdapter(), { logger: false });
await app.listen(Number(process.env['PORT'] ?? 0), '127.0.0.1');
