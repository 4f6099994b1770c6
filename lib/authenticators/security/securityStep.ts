import type { AuthenticationMethod } from '../../core/authentication.ts'
import type { OrganizationId, UserId } from '../../core/ids.ts'
import type { AuthenticatorErrorCode } from '../errors.ts'
import type { AuthenticatorList } from '../listAuthenticators.ts'
import type { WebAuthnOptions } from '../ports.ts'
import type { ResetToApprove } from '../recovery/approveFactorReset.ts'

/** What was done, as the page says that is shown after it. */
export const doneChanges = [
  'passkey_added',
  'passkey_renamed',
  'passkey_removed',
  'totp_added',
  'totp_removed',
  'reset_approved',
  'reset_canceled',
] as const
type DoneChange = (typeof doneChanges)[number]

/** What of the page of authenticators is asked for by its address. */
export type SecurityView =
  | { readonly view: 'overview'; readonly done?: DoneChange | undefined }
  | { readonly view: 'passkey'; readonly id: string }
  | { readonly view: 'totp' }
  | { readonly view: 'codes' }
  | { readonly view: 'reset'; readonly organizationId: OrganizationId; readonly userId: UserId }

/** A form of these pages. `response`: what the browser made, as JSON. */
export type SecurityForm =
  | { readonly action: 'begin_passkey' | 'begin_totp' | 'remove_totp' | 'create_codes' | 'cancel_reset' }
  | { readonly action: 'finish_passkey'; readonly name: string; readonly response: string }
  | { readonly action: 'rename_passkey'; readonly id: string; readonly name: string }
  | { readonly action: 'remove_passkey'; readonly id: string }
  | { readonly action: 'confirm_totp'; readonly code: string }
  | { readonly action: 'approve_reset'; readonly organizationId: OrganizationId; readonly userId: UserId }

/** A request to remove lost second factors. Times are Unix milliseconds. */
export interface PendingReset {
  readonly requestedAt: number
  /** Undefined while it waits for an owner's approval. */
  readonly effectiveAt: number | undefined
}

/** The list of what a user has, with what was done last or why it was refused. */
export interface Overview {
  readonly step: 'overview'
  readonly email: string
  readonly isVerified: boolean
  readonly list: AuthenticatorList
  /** The user's own request to remove them, where there is one: a user with one of them can take it back. */
  readonly reset: PendingReset | undefined
  readonly done?: DoneChange | undefined
  readonly problem?: AuthenticatorErrorCode | undefined
}

/** A new secret of TOTP, until a code of it is confirmed. */
interface NewTotp {
  readonly step: 'new_totp'
  readonly secret: string
  /** Of its `otpauth:` URI; see `QrCode`. */
  readonly qrCode: readonly (readonly boolean[])[]
  readonly problem?: 'code_refused' | undefined
}

/** What the page of authenticators answers next. */
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
      /** How many there are before it. */
      readonly others: number
    }
  | NewTotp
  | { readonly step: 'totp' }
  | { readonly step: 'codes'; readonly left: number | undefined }
  /** Shown once. */
  | { readonly step: 'new_codes'; readonly codes: readonly string[] }
  | ({ readonly step: 'reset'; readonly userId: UserId } & ResetToApprove)
  | { readonly step: 'no_reset' }
  /** The change is made: a redirect, so that the form is not sent again with the page. */
  | {
      readonly step: 'done'
      readonly done: DoneChange
      /** What the user has shown by it: a second factor that is new to the account. */
      readonly proven?: readonly AuthenticationMethod[]
    }
  /** The sign-in is too old, or has no second factor. */
  | { readonly step: 'sign_in' }
