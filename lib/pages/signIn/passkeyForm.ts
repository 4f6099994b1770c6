import { type Html, html } from '../../core/html.ts'
import { hiddenFields } from '../kit/fields.ts'
import type { Look } from '../kit/look.ts'

/** The endpoint that the script of the form asks for options. */
const OPTIONS_PATH = '/api/auth/passkey/options'

/** The context of a passkey form. */
interface PasskeyForm {
  readonly purpose: 'sign_in' | 'second_factor'
  /** The origin on which passkeys work: that of the relying party. */
  readonly passkeyOrigin: string
  readonly action: string
  readonly csrf: string
}

/**
 * The form to sign in with a passkey, for a page that `hasPasskey`. The script shows its button if the browser has
 * passkeys, and sends it. If passkeys cannot work, such as at an IP address, it links to the page at the right address.
 * Without script, the form says that it needs script.
 */
export function passkeyForm({ texts }: Look, { purpose, passkeyOrigin, action, csrf }: PasskeyForm): Html {
  const { button, needsScript, failed, elsewhere } = texts.passkey
  const asks = purpose === 'sign_in' ? { action: 'passkey' } : { action: 'second_factor', factor: 'passkey' }
  return html`<form class="passkey" method="post" action="${action}" data-passkey="${purpose}" data-path="${OPTIONS_PATH}" data-origin="${passkeyOrigin}" data-elsewhere="${elsewhere(new URL(passkeyOrigin).host)}" data-failed="${failed}">
${hiddenFields({ csrf, ...asks, proof: '' })}<button type="button"${purpose === 'sign_in' && html` class="plain"`} hidden>${button[purpose]}</button>
<p role="status">${needsScript}</p>
</form>`
}
