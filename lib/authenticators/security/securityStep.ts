import type { Authentication } from '../../core/authentication.ts'
import type { OrganizationId, UserId } from '../../core/ids.ts'
import type { AuthenticatorErrorCode } from '../errors.ts'
import type { AuthenticatorList } from '../listAuthenticators.ts'
import type { WebAuthnOptions } from '../ports.ts'
import type { ResetToApprove } from '../recovery/approveFactorReset.ts'
import type { ConnectedProvider } from './connectedProviders.ts'

/** The completed change, which the next page names. */
export const doneChanges = [
  'passkey_added',
  'passkey_renamed',
  'passkey_removed',
  'totp_added',
  'totp_removed',
  'provider_disconnected',
  'sessions_ended',
  'reset_approved',
  'reset_canceled',
] as const
type DoneChange = (typeof doneChanges)[number]

/** The view of the security page that its address asks for. */
export type SecurityView =
  | { readonly view: 'overview'; readonly done?: DoneChange | undefined }
  | { readonly view: 'passkey' | 'provider'; readonly id: string }
  | { readonly view: 'totp' }
  | { readonly view: 'codes' }
  | { readonly view: 'reset'; readonly organizationId: OrganizationId; readonly userId: UserId }

/** A form of these pages. `response`: JSON from the browser. */
export type SecurityForm =
  | {
      readonly action: 'begin_passkey' | 'begin_totp' | 'remove_totp' | 'create_codes' | 'cancel_reset' | 'end_sessions'
    }
  | { readonly action: 'finish_passkey'; readonly name: string; readonly response: string }
  | { readonly action: 'rename_passkey'; readonly id: string; readonly name: string }
  | { readonly action: 'remove_passkey' | 'disconnect_provider'; readonly id: string }
  | { readonly action: 'confirm_totp'; readonly code: string }
  | { readonly action: 'approve_reset'; readonly organizationId: OrganizationId; readonly userId: UserId }

/** A request to remove lost second factors. Times are Unix milliseconds. */
export interface PendingReset {
  readonly requestedAt: number
  /** Undefined until its user confirms it. */
  readonly effectiveAt: number | undefined
}

/** A user's authenticators, with the last change or why it was refused. */
export interface Overview {
  readonly step: 'overview'
  readonly email: string
  readonly isVerified: boolean
  readonly list: AuthenticatorList
  readonly providers: readonly ConnectedProvider[]
  /** The user's own request to remove them, if any: with any of them the user can cancel it. */
  readonly reset: PendingReset | undefined
  readonly done?: DoneChange | undefined
  readonly problem?: AuthenticatorErrorCode | undefined
}

/** A new TOTP secret, until a code of it is confirmed. */
interface NewTotp {
  readonly step: 'new_totp'
  readonly secret: string
  /** Of its `otpauth:` URI; see `QrCode`. */
  readonly qrCode: readonly (readonly boolean[])[]
  readonly problem?: 'code_refused' | undefined
}

/** The next answer of the security page. */
export type SecurityStep =
  | Overview
  | {
      readonly step: 'passkey'
      readonly passkey: AuthenticatorList['passkeys'][number]
      readonly name: string
      readonly problem?: 'passkey_name_invalid' | undefined
    }
  | {
      readonly step: 'new_passkey'
      readonly options: WebAuthnOptions
      /** How many passkeys the user already has. */
      readonly others: number
    }
  | NewTotp
  | { readonly step: 'provider'; readonly provider: ConnectedProvider }
  | { readonly step: 'totp' }
  | { readonly step: 'codes'; readonly left: number | undefined }
  /** Shown once. */
  | { readonly step: 'new_codes'; readonly codes: readonly string[] }
  | ({ readonly step: 'reset'; readonly userId: UserId } & ResetToApprove)
  | { readonly step: 'no_reset' }
  /** The change is made. A redirect follows, so reloading the page does not send the form again. */
  | {
      readonly step: 'done'
      readonly done: DoneChange
      /** What the user has proved by it: a second factor that is new to the account. */
      readonly proven?: Omit<Authentication, 'at'>
    }
  /** The sign-in is too old, or had no second factor. */
  | { readonly step: 'sign_in' }
