import { createAccounts } from '../adapters/dynamodb/accountStore.ts'
import { createAuthenticators } from '../adapters/dynamodb/authenticatorStore.ts'
import { createFactorResets } from '../adapters/dynamodb/factorResetStore.ts'
import { createPendingSignIns } from '../adapters/dynamodb/pendingSignInStore.ts'
import { ids } from '../adapters/random/ids.ts'
import type { RequestFactorResetDeps } from '../authenticators/deps.ts'
import { AuthenticatorError } from '../authenticators/errors.ts'
import { completeFactorReset, readFactorReset, requestFactorReset } from '../authenticators/recovery/resetFactors.ts'
import type { LostFactorState, LostFactors } from '../oauth/ports.ts'
import type { LostFactorDeps } from '../signIn/lostFactor.ts'
import { brandingFromEnvironment } from './branding.ts'
import { clock } from './clock.ts'
import { accountsTable, documents } from './dynamodb.ts'
import { logger } from './logger.ts'
import { accountUrlFromEnvironment, mailerFromEnvironment } from './mailer.ts'
import { organizationDepsFromEnvironment } from './organizations.ts'

/** Everything that the page of lost second factors needs. Throws Error where the environment is not complete. */
export function lostFactorDepsFromEnvironment(): LostFactorDeps & Pick<RequestFactorResetDeps, 'branding' | 'logger'> {
  const table = accountsTable()
  const { organizations, profiles } = organizationDepsFromEnvironment()
  const deps: RequestFactorResetDeps = {
    accounts: createAccounts(documents, table),
    authenticators: createAuthenticators(documents, table),
    resets: createFactorResets(documents, table),
    organizations,
    profiles,
    accountUrl: accountUrlFromEnvironment(),
    mailer: mailerFromEnvironment(),
    logger,
    branding: brandingFromEnvironment(),
    clock,
    ids,
  }
  return { ...deps, pendingSignIns: createPendingSignIns(documents, table), lostFactors: lostFactorsWith(deps) }
}

function lostFactorsWith(deps: RequestFactorResetDeps): LostFactors {
  const read: LostFactors['read'] = async (user) => {
    const { state, reset } = await readFactorReset(deps, user)
    return state === 'none' || state === 'awaiting_approval' ? { state } : timed(state, reset?.effectiveAt)
  }
  return {
    read,
    async request(user, language) {
      await orOutdated(requestFactorReset(deps, { user, language }))
      return read(user)
    },
    async complete(user, language) {
      const isDone = await orOutdated(completeFactorReset(deps, { user, language }).then(() => true))
      return isDone ? { state: 'done' } : read(user)
    },
  }
}

function timed(state: 'waiting' | 'due', effectiveAt = 0): LostFactorState {
  return { state, effectiveAt }
}

/** The page was outdated: what is refused is shown as it is by now. */
async function orOutdated<Result>(step: Promise<Result>): Promise<Result | undefined> {
  try {
    return await step
  } catch (error) {
    if (error instanceof AuthenticatorError) return undefined
    throw error
  }
}
