import { createFactorResetApprovals } from '../adapters/dynamodb/factorResetApprovalStore.ts'
import { createFactorResets } from '../adapters/dynamodb/factorResetStore.ts'
import { createMailBudgets } from '../adapters/dynamodb/mailBudgetStore.ts'
import { qrCode } from '../adapters/qrcode/qrCode.ts'
import type { RelyingParty } from '../adapters/webauthn/webAuthn.ts'
import type { SubmitSecurityDeps } from '../authenticators/security/submitSecurity.ts'
import type { HostedSignInDeps } from './hostedSignIn.ts'
import { brandingFromEnvironment } from './branding.ts'
import { accountsTable, auditLogTable, billingTable, documents } from './dynamodb.ts'
import { hostedSignInDepsFromEnvironment } from './hostedSignIn.ts'
import { logger } from './logger.ts'
import { accountUrlFromEnvironment, mailerFromEnvironment } from './mailer.ts'
import { organizationDepsFromEnvironment } from './organizations.ts'
import { relyingPartyFromEnvironment } from './relyingParty.ts'
import { authenticatorDepsFromEnvironment } from './secondFactors.ts'

/** Everything that the forms of authenticators need. Throws Error where the environment is not complete. */
export function accountSecuritySubmitDepsFromEnvironment(): SubmitSecurityDeps &
  HostedSignInDeps & { relyingParty: RelyingParty } {
  const tables = { accounts: accountsTable(), billing: billingTable(), auditLog: auditLogTable() }
  return {
    ...organizationDepsFromEnvironment(),
    ...hostedSignInDepsFromEnvironment(),
    ...authenticatorDepsFromEnvironment(),
    resets: createFactorResets(documents, tables.accounts),
    approvals: createFactorResetApprovals(documents, tables),
    mailBudgets: createMailBudgets(documents, tables.accounts),
    relyingParty: relyingPartyFromEnvironment(),
    mailer: mailerFromEnvironment(),
    accountUrl: accountUrlFromEnvironment(),
    branding: brandingFromEnvironment(),
    qrCode,
    logger,
  }
}
