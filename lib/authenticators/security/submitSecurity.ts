import type { Authentication } from '../../core/authentication.ts'
import type { Caller } from '../../core/identity.ts'
import type { Language } from '../../core/language.ts'
import type {
  ApproveFactorResetDeps,
  ConnectedProviderDeps,
  MailedChangeDeps,
  PasskeyDeps,
  RecoveryCodeDeps,
  TotpDeps,
} from '../deps.ts'
import { AuthenticatorError, type AuthenticatorErrorCode } from '../errors.ts'
import { beginTotpEnrollment, confirmTotp, readTotpEnrollment, removeTotp } from '../factors/enrollTotp.ts'
import { removePasskey, renamePasskey } from '../factors/managePasskeys.ts'
import { beginPasskeyRegistration, finishPasskeyRegistration } from '../factors/registerPasskey.ts'
import { authenticatorRemoved, providerDisconnected, resetCanceled } from '../mails.ts'
import { methodsOf } from '../methodsOf.ts'
import { parsedResponse } from '../parsedResponse.ts'
import type { QrCode } from '../ports.ts'
import { approveFactorReset } from '../recovery/approveFactorReset.ts'
import { createRecoveryCodes } from '../recovery/recoveryCodes.ts'
import { cancelFactorReset, forgetVoidReset } from '../recovery/resetFactors.ts'
import { disconnectProvider } from './connectedProviders.ts'
import { addWithMail, changeWithMail } from './mailedChange.ts'
import type { SecurityForm, SecurityStep } from './securityStep.ts'
import { callerOfVisitor, isRecent, orSignIn, overviewOf, type SecurityVisitor } from './securityVisitor.ts'
import { isNoReset } from './showSecurity.ts'

export interface SubmitSecurityDeps
  extends PasskeyDeps,
    TotpDeps,
    RecoveryCodeDeps,
    ApproveFactorResetDeps,
    ConnectedProviderDeps,
    MailedChangeDeps {
  readonly qrCode: QrCode
  /** Ends the caller's sessions from before a moment, in Unix milliseconds, except that with this id. */
  readonly endEarlierSessions: (caller: Caller, only: { before: number; except: string }) => Promise<void>
}

/** A form and its sender. */
interface Submission {
  readonly visitor: SecurityVisitor
  readonly form: SecurityForm
  /** Of the network from which the form came. */
  readonly sourceIp: string
  readonly language: Language
}

/**
 * Handles a form of the security pages. Each form requires a sign-in within the last 10 minutes, with a second factor if the account has
 * one. The caller must have checked that this browser was given the form.
 * @throws TooManyAttemptsError; CommonError `service_unavailable`
 */
export function submitSecurity(deps: SubmitSecurityDeps, sent: Submission): Promise<SecurityStep> {
  return orSignIn(() => submit(deps, sent))
}

async function submit(deps: SubmitSecurityDeps, sent: Submission): Promise<SecurityStep> {
  const { visitor } = sent
  const own = await deps.authenticators.list(visitor.user.id)
  if (!isRecent(visitor, own, deps.clock.now())) return { step: 'sign_in' }
  try {
    return await perform(deps, sent)
  } catch (error) {
    if (sent.form.action === 'approve_reset' && isNoReset(error)) return { step: 'no_reset' }
    if (error instanceof AuthenticatorError) return refused(deps, sent, error.code)
    throw error
  }
}

async function perform(deps: SubmitSecurityDeps, sent: Submission): Promise<SecurityStep> {
  const { visitor, form, language } = sent
  const caller = callerOfVisitor(visitor)
  const addedFrom = { browser: visitor.browser, sourceIp: sent.sourceIp }
  const mailed = { deps, user: visitor.user, language }
  switch (form.action) {
    case 'begin_passkey':
      return newPasskey(deps, caller)
    case 'finish_passkey': {
      const { name } = form
      const made = { name, response: parsedResponse(form.response), addedFrom }
      const add = () => finishPasskeyRegistration(deps, caller, made)
      const { backupEligible, newUntil } = await addWithMail(mailed, { type: 'passkey', name }, add)
      const methods = methodsOf([{ kind: 'passkey', backupEligible, userVerified: true }])
      return { step: 'done', done: 'passkey_added', proven: provenBy(methods, newUntil) }
    }
    case 'rename_passkey':
      await renamePasskey(deps, caller, { passkeyId: form.id, name: form.name })
      return { step: 'done', done: 'passkey_renamed' }
    case 'remove_passkey':
      await forgetVoidReset(deps, caller)
      await changeWithMail(mailed, () => removePasskey(deps, caller, form.id), authenticatorRemoved.passkey)
      await deps.activity.record(caller.userId, 'factor_removed')
      return { step: 'done', done: 'passkey_removed' }
    case 'begin_totp':
      return newTotp(deps, await beginTotpEnrollment(deps, caller))
    case 'confirm_totp': {
      const add = () => confirmTotp(deps, caller, form.code, addedFrom)
      const { newUntil } = await addWithMail(mailed, { type: 'totp' }, add)
      return { step: 'done', done: 'totp_added', proven: provenBy(methodsOf([{ kind: 'totp' }]), newUntil) }
    }
    case 'remove_totp':
      await forgetVoidReset(deps, caller)
      await changeWithMail(mailed, () => removeTotp(deps, caller), authenticatorRemoved.totp)
      await deps.activity.record(caller.userId, 'factor_removed')
      return { step: 'done', done: 'totp_removed' }
    case 'disconnect_provider':
      await changeWithMail(mailed, () => disconnectProvider(deps, caller, form.id), providerDisconnected)
      await deps.activity.record(caller.userId, 'provider_disconnected')
      return { step: 'done', done: 'provider_disconnected' }
    case 'create_codes': {
      const create = () => createRecoveryCodes(deps, caller, addedFrom)
      return { step: 'new_codes', codes: await addWithMail(mailed, { type: 'recovery_codes' }, create) }
    }
    case 'cancel_reset': {
      const { at } = visitor.authentication
      await changeWithMail(mailed, () => cancelFactorReset(deps, caller, at), resetCanceled)
      return { step: 'done', done: 'reset_canceled' }
    }
    case 'end_sessions':
      await endSessionsWithoutFactor(deps, visitor)
      return { step: 'done', done: 'sessions_ended' }
    case 'approve_reset':
      await approveFactorReset(deps, caller, form)
      return { step: 'done', done: 'reset_approved' }
    default:
      return form satisfies never
  }
}

/** A session from before the first second factor has shown none. */
async function endSessionsWithoutFactor(deps: SubmitSecurityDeps, visitor: SecurityVisitor): Promise<void> {
  const caller = callerOfVisitor(visitor)
  const { passkeys, totp } = await deps.authenticators.list(caller.userId)
  const added = [...passkeys, ...(totp === undefined ? [] : [totp])].map(({ createdAt }) => createdAt)
  if (added.length === 0) throw new AuthenticatorError('no_second_factor')
  await deps.endEarlierSessions(caller, { before: Math.min(...added), except: visitor.id })
}

function provenBy(methods: Authentication['methods'], newFactorUntil: number | undefined): Omit<Authentication, 'at'> {
  return { methods, ...(newFactorUntil !== undefined && { newFactorUntil }) }
}

async function newPasskey(deps: SubmitSecurityDeps, caller: Caller): Promise<SecurityStep> {
  const [options, { passkeys }] = await Promise.all([
    beginPasskeyRegistration(deps, caller),
    deps.authenticators.list(caller.userId),
  ])
  return { step: 'new_passkey', options, others: passkeys.length }
}

function newTotp({ qrCode }: SubmitSecurityDeps, { secret, uri }: { secret: string; uri: string }) {
  return { step: 'new_totp', secret, qrCode: qrCode(uri) } as const
}

/** Shows the form again if the user can correct the input, otherwise the list. */
async function refused(
  deps: SubmitSecurityDeps,
  { visitor, form }: Submission,
  problem: AuthenticatorErrorCode,
): Promise<SecurityStep> {
  if (form.action === 'confirm_totp' && problem === 'code_refused') {
    const pending = await readTotpEnrollment(deps, callerOfVisitor(visitor))
    if (pending !== undefined) return { ...newTotp(deps, pending), problem }
  }
  const overview = await overviewOf(deps, visitor)
  if (form.action === 'rename_passkey' && problem === 'passkey_name_invalid') {
    const passkey = overview.list.passkeys.find(({ id }) => id === form.id)
    if (passkey !== undefined) return { step: 'passkey', passkey, name: form.name, problem }
  }
  return { ...overview, problem }
}
