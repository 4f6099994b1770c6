import { type ErasureReport, eraseDue } from '../../core/eraseDue.ts'
import { reasonOf } from '../../core/errors.ts'
import { accountLinkUrl } from '../../mail/accountLinkUrl.ts'
import type { Account } from '../../users/ports.ts'
import type { FactorResetDeps } from '../deps.ts'
import { AuthenticatorError } from '../errors.ts'
import { resetReminder } from '../mails.ts'
import type { DueResetStep, DueResetSteps } from '../ports.ts'
import { completeFactorReset, readFactorReset } from './resetFactors.ts'

export interface TakeResetStepsDeps extends Omit<FactorResetDeps, 'organizations' | 'ids'> {
  readonly steps: DueResetSteps
}

/** A step that is not outdated. */
interface Found {
  readonly account: Account
  readonly due: DueResetStep
  readonly to: Parameters<typeof resetReminder>[1]
  readonly look: Parameters<typeof resetReminder>[0]
}

/**
 * Takes the due steps of all removals of lost second factors: mails at half time and a day before, and the removal itself. If a step fails,
 * the next run repeats it.
 * @param finishBy Unix milliseconds; the next run does what is left
 * @throws CommonError `service_unavailable` if the due steps cannot be listed
 */
export function takeResetSteps(deps: TakeResetStepsDeps, finishBy: number): Promise<ErasureReport> {
  const { clock, steps } = deps
  const deletions = {
    listDue: async (now: number) => (await steps.list(now)).map(toDue),
    dismiss: ({ id }: { readonly id: DueResetStep }) => steps.dismiss(id),
  }
  return eraseDue(
    { clock, deletions },
    {
      find: ({ id }) => find(deps, id),
      remind: ({ to, look }) => deps.mailer.send(resetReminder(look, to)),
      erase: (found) => remove(deps, found),
      failed({ id: { userId, step } }, error) {
        deps.logger.error('Second factors not removed', { userId, step, reason: reasonOf(error) })
      },
    },
    finishBy,
  )
}

function toDue(due: DueResetStep) {
  const { step, effectiveAt } = due
  return { id: due, step: step === 'effect' ? ('erase' as const) : ('remind' as const), eraseAfter: effectiveAt }
}

/** Undefined if the request is void or gone, or an approval has given it another end. A deleted account's request waits. */
async function find(deps: TakeResetStepsDeps, due: DueResetStep): Promise<Found | undefined> {
  const account = await deps.accounts.find(due.userId)
  if (!account?.user.isActive) return undefined
  const { state, reset } = await readFactorReset(deps, account)
  if (state === 'none' || reset?.effectiveAt !== due.effectiveAt) return undefined
  const look = { branding: deps.branding, language: reset.language }
  const link = accountLinkUrl(deps.accountUrl, 'forgot_password')
  return { account, due, look, to: { to: account.user.email, link, effectiveAt: due.effectiveAt } }
}

async function remove(deps: TakeResetStepsDeps, { account, due }: Found): Promise<'erased' | 'nothing'> {
  try {
    await completeFactorReset(deps, account)
  } catch (error) {
    // An older factor was used a moment ago, or the user has completed it.
    if (!(error instanceof AuthenticatorError)) throw error
    await deps.steps.dismiss(due)
    return 'nothing'
  }
  await deps.steps.dismiss(due)
  return 'erased'
}
