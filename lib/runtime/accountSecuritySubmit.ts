import { createFactorResetApprovals } from '../adapters/dynamodb/factorResetApprovalStore.ts'
import { createFactorResets } from '../adapters/dynamodb/factorResetStore.ts'
import { createMailBudgets } from '../adapters/dynamodb/mailBudgetStore.ts'
import { qrCode } from '../adapters/qrcode/qrCode.ts'
import type { RelyingParty } from '../adapters/webauthn/webAuthn.ts'
import type { SubmitSecurityDeps } from '../authenticators/submitSecurity.ts'
import type { SubmitSignInDeps } from '../signIn/submitSignIn.ts'
import { accountsTable, auditLogTable, billingTable, documents } from './dynamodb.ts'
import { submitSignInDepsFromEnvironment } from './hostedSignIn.ts'
import { accountUrlFromEnvironment } from './mailer.ts'
import { organizationDepsFromEnvironment } from './organizations.ts'
import { relyingPartyFromEnvironment } from './relyingParty.ts'

/** Everything that the forms of authenticators need. Throws Error where the environment is not complete. */
export function accountSecuritySubmitDepsFromEnvironment(): SubmitSecurityDeps &
  SubmitSignInDeps & { relyingParty: RelyingParty } {
  const tables = { accounts: accountsTable(), billing: billingTable(), auditLog: auditLogTable() }
  return {
    ...organizationDepsFromEnvironment(),
    ...submitSignInDepsFromEnvironment(),
    resets: createFactorResets(documents, tables.accounts),
    approvals: createFactorResetApprovals(documents, tables),
    mailBudgets: createMailBudgets(documents, tables.accounts),
    relyingParty: relyingPartyFromEnvironment(),
    accountUrl: accountUrlFromEnvironment(),
    qrCode,
  }
}
