import { type ErasureReport, eraseDue } from '../../core/eraseDue.ts'
import { reasonOf } from '../../core/errors.ts'
import { accountLinkUrl } from '../../mail/accountLinkUrl.ts'
import type { Mail } from '../../mail/mailer.ts'
import type { MailLook } from '../../mail/renderMail.ts'
import { securityUrl } from '../../mail/securityUrl.ts'
import type { Account } from '../../users/ports.ts'
import type { CompleteFactorResetDeps, FactorResetDeps } from '../deps.ts'
import { AuthenticatorError } from '../errors.ts'
import { operatedRemoval, resetDone, resetReminder, totpLost } from '../mails.ts'
import type { DueResetStep, DueResetSteps, FactorReset } from '../ports.ts'
import { completeFactorReset, readFactorReset } from './resetFactors.ts'

export interface TakeResetStepsDeps
  extends Omit<FactorResetDeps, 'organizations' | 'ids'>,
    Pick<CompleteFactorResetDeps, 'activity'> {
  readonly steps: DueResetSteps
}

/** A step that is not outdated. */
interface Found {
  readonly account: Account
  readonly due: DueResetStep
  /** Undefined for the removal itself, which writes its own. */
  readonly mail: Mail | undefined
}

/**
 * Takes the due steps of all removals of lost second factors: mails at half time and a day before, and the removal itself; and mails users
 * whose factors an operator has removed. If a step fails, the next run repeats it.
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
      async remind({ mail }) {
        if (mail) await deps.mailer.send(mail)
      },
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
  // The mail about a removal is never too late.
  const eraseAfter = isAfterwards(step) ? Number.POSITIVE_INFINITY : effectiveAt
  return { id: due, step: step === 'effect' ? ('erase' as const) : ('remind' as const), eraseAfter }
}

/** Undefined if the request is void or gone, or an approval has given it another end. A deleted account's request waits. */
async function find(deps: TakeResetStepsDeps, due: DueResetStep): Promise<Found | undefined> {
  const account = await deps.accounts.find(due.userId)
  if (account !== undefined && isAfterwards(due.step)) return { account, due, mail: afterRemoval(deps, account, due) }
  if (!account?.user.isActive) return undefined
  const { state, reset } = await readFactorReset(deps, account)
  if (state === 'none' || reset?.effectiveAt !== due.effectiveAt) return undefined
  return { account, due, mail: due.step === 'effect' ? undefined : reminderOf(deps, { account, due, reset }) }
}

/** Whether an operator has done it: its mail comes afterwards. */
function isAfterwards(step: DueResetStep['step']): boolean {
  return step === 'removed' || step === 'totp_removed'
}

function afterRemoval(
  { branding, accountUrl }: Pick<TakeResetStepsDeps, 'branding' | 'accountUrl'>,
  { user }: Account,
  { step, language = 'en' }: DueResetStep,
): Mail {
  const look: MailLook = { branding, language }
  const mail = step === 'totp_removed' ? totpLost : resetDone
  return mail(look, { to: user.email, accountUrl })
}

function reminderOf(
  { branding, accountUrl }: Pick<TakeResetStepsDeps, 'branding' | 'accountUrl'>,
  { account, due, reset }: Pick<Found, 'account' | 'due'> & { readonly reset: FactorReset },
): Mail {
  const look: MailLook = { branding, language: reset.language }
  const [to, effectiveAt] = [account.user.email, due.effectiveAt]
  if (reset.operated) return operatedRemoval(look, { to, link: securityUrl(accountUrl), effectiveAt })
  return resetReminder(look, { to, link: accountLinkUrl(accountUrl, 'forgot_password'), effectiveAt })
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
