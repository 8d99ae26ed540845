import { Module } from '@nestjs/common';
import { VerifyEffect, VerifyHandler } from './commands/verify.js';
import { ShowCredentialHandler } from './queries/credential.js';
import { ShowIssuerHandler, ShowJwksHandler } from './queries/issuer.js';
import { VerifyPriceHandler } from './queries/verify-price.js';
import { VerificationController } from './verification.controller.js';

@Module({
  controllers: [VerificationController],
  providers: [
    VerifyHandler,
    VerifyEffect,
    VerifyPriceHandler,
    ShowCredentialHandler,
    ShowIssuerHandler,
    ShowJwksHandler,
  ],
})
export class VerificationModule {}
