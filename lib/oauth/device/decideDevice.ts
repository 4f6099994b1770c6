import type { AuthenticatorDeps } from '../../authenticators/deps.ts'
import { isRecent } from '../../authenticators/security/securityVisitor.ts'
import { isScope, type Scope, scopesIn } from '../../core/scopes.ts'
import type { Logger } from '../../log/logger.ts'
import { TooManyAttemptsError } from '../../users/errors.ts'
import { countGuess, type GuessDeps } from '../../users/guess.ts'
import type { GuessSubject } from '../../users/ports.ts'
import { type AllowDeps, allow } from '../authorize/consent.ts'
import { nameOf } from '../client/clientNames.ts'
import { DEVICE_CODE, type OAuthClient } from '../oauthClient.ts'
import type { DeviceAuthorization, DeviceAuthorizations, OAuthClients } from '../ports.ts'
import type { SecretDigest } from '../secretDigest.ts'
import { allowedIn } from '../session/allowedIn.ts'
import type { LiveSession } from '../session/session.ts'
import { digestUserCode, shownUserCode } from './userCode.ts'

export type ShowDeviceDeps = Pick<AuthenticatorDeps, 'authenticators' | 'clock'>

export interface DecideDeviceDeps extends ShowDeviceDeps, AllowDeps, GuessDeps {
  readonly clients: OAuthClients
  readonly devices: Pick<DeviceAuthorizations, 'findByUserCode' | 'decide'>
  readonly logger: Logger
}

/** Why the form of the code is shown again. The same for a code that never was, that has expired and that was used. */
export type DeviceCodeProblem =
  | { readonly code: 'unknown_code' }
  | { readonly code: 'too_many_attempts'; readonly retryAfterSeconds: number }

/** What the page of devices shows next. */
export type DeviceStep =
  /** The sign-in is too old, or had no second factor. */
  | { readonly step: 'sign_in' }
  | { readonly step: 'code'; readonly email: string; readonly problem?: DeviceCodeProblem }
  | {
      readonly step: 'confirm'
      readonly userCode: string
      readonly clientName: string
      readonly email: string
      readonly scopes: readonly Scope[]
      readonly firstParty: boolean
      /** Since the device asked. */
      readonly minutes: number
      /** The network that the device asked from. */
      readonly sourceIp: string
      /** Whether the user's browser is in that network. */
      readonly isOwnNetwork: boolean
    }
  | { readonly step: 'allowed' | 'denied'; readonly clientName: string }

/** A form of the page: the code first, then the answer to what the device asks for. */
export interface DeviceForm {
  readonly action: 'code' | 'allow' | 'deny'
  readonly userCode: string
  /** The network that the form came from. */
  readonly sourceIp: string
}

/**
 * The form in which a signed-in user types a device's code. It takes a sign-in of the last 10 minutes: the device gets power over the account, and
 * operations that require a recent sign-in accept the device's tokens only if the user has signed in for it.
 * @throws CommonError `service_unavailable`
 */
export async function showDevice(deps: ShowDeviceDeps, session: LiveSession): Promise<DeviceStep> {
  const own = await deps.authenticators.list(session.user.id)
  if (!isRecent(session, own, deps.clock.now())) return { step: 'sign_in' }
  return { step: 'code', email: session.user.email }
}

/**
 * Handles a form of that page. Each form with a code is a try, which counts before the code is read. Nothing happens to a device before its user has
 * seen what it asks for and allows or denies it. The caller has checked that this browser was given the form.
 * @throws CommonError `service_unavailable`
 */
export async function decideDevice(
  deps: DecideDeviceDeps,
  session: LiveSession,
  form: DeviceForm,
): Promise<DeviceStep> {
  const shown = await showDevice(deps, session)
  if (shown.step !== 'code') return shown
  const found = await orTooMany(findDevice(deps, session, form.userCode))
  if (found.kind === 'refused') return { ...shown, problem: found.problem }
  const { client, device } = found
  if (form.action === 'code' && device.decision === undefined) return confirmStep(deps, session, form, found)
  const decision = form.action === 'allow' ? 'allowed' : 'denied'
  const isRepeated = form.action !== 'code' && device.decision === decision
  const isDecided = isRepeated || (device.decision === undefined && (await decide(deps, session, found, decision)))
  if (!isDecided) return { ...shown, problem: { code: 'unknown_code' } }
  return { step: decision, clientName: nameOf(client) }
}

/** An authorization that was found by its code. */
interface Found {
  readonly client: OAuthClient
  readonly device: DeviceAuthorization & { readonly device: SecretDigest }
}

/** What a form with a code leads to before the user's answer counts. */
type Lookup = ({ readonly kind: 'found' } & Found) | { readonly kind: 'refused'; readonly problem: DeviceCodeProblem }

/** Finds what waits for this code, or what this user decided with it. A right code is not a try. */
async function findDevice(deps: DecideDeviceDeps, { id, user }: LiveSession, userCode: string): Promise<Lookup> {
  const tries = triesOf(id, user.id)
  const at = await countGuess(deps, tries)
  const device = await deps.devices.findByUserCode(digestUserCode(userCode))
  const client = device && (await deps.clients.find(device.clientId))
  const isOpen = device !== undefined && deps.clock.now() < device.validUntil
  const isMine = device?.decision === undefined || device.decidedBy === user.id
  if (!isOpen || !isMine || client === undefined || client.disabled || !client.grantTypes.includes(DEVICE_CODE)) {
    deps.logger.info('Device code refused', {})
    return { kind: 'refused', problem: { code: 'unknown_code' } }
  }
  await deps.guesses.takeBack({ tries, at })
  return { kind: 'found', client, device }
}

/** A session's tries first, so that a session without room uses up nothing of its account. */
function triesOf(session: string, account: string): readonly GuessSubject[] {
  return [
    { kind: 'device_code', subject: session },
    { kind: 'device_code_account', subject: account },
  ]
}

/** Returns the refusal instead of throwing it: the page shows it in the form. */
async function orTooMany(looked: Promise<Lookup>): Promise<Lookup> {
  try {
    return await looked
  } catch (error) {
    if (!(error instanceof TooManyAttemptsError)) throw error
    return { kind: 'refused', problem: { code: error.code, retryAfterSeconds: error.retryAfterSeconds } }
  }
}

function confirmStep(
  { clock }: DecideDeviceDeps,
  { user }: LiveSession,
  form: DeviceForm,
  { client, device }: Found,
): DeviceStep {
  const { scope, requestedAt, sourceIp } = device
  return {
    step: 'confirm',
    userCode: shownUserCode(form.userCode),
    clientName: nameOf(client),
    email: user.email,
    scopes: scopesIn(scope).filter(isScope),
    firstParty: client.firstParty ?? false,
    minutes: Math.floor((clock.now() - requestedAt) / 60_000),
    sourceIp,
    isOwnNetwork: sourceIp === form.sourceIp,
  }
}

/** False if another answer was first, or the code has just expired. */
async function decide(
  deps: DecideDeviceDeps,
  session: LiveSession,
  found: Found,
  decision: 'allowed' | 'denied',
): Promise<boolean> {
  const isDecided = await (decision === 'allowed' ? allowDevice : denyDevice)(deps, session, found)
  if (isDecided) deps.logger.info('Device decided', { clientId: found.client.clientId, outcome: decision })
  return isDecided
}

/**
 * Gives the device a code for its digest, of this sign-in. What the device gets is a session of its own, which no browser's end takes along; it
 * ends with the user's consent. If its user came by a single sign-on, the browser's session must last until the device has its tokens.
 */
async function allowDevice(deps: DecideDeviceDeps, session: LiveSession, { client, device }: Found): Promise<boolean> {
  const { user, securityRev, authentication } = session
  const { clientId, scope, validUntil } = device
  await allow(deps, { userId: user.id, client, scopes: scopesIn(scope) })
  const code = {
    ...{ clientId, userId: user.id, securityRev, authentication, scope, validUntil, ...allowedIn(session) },
    needsConsent: true,
    isForDevice: true,
  }
  return deps.devices.decide(device.device, { decision: 'allowed', code }, deps.clock.now())
}

function denyDevice(deps: DecideDeviceDeps, { user }: LiveSession, { device }: Found): Promise<boolean> {
  return deps.devices.decide(device.device, { decision: 'denied', userId: user.id }, deps.clock.now())
}
