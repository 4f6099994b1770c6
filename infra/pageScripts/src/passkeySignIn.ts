import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
} from '@simplewebauthn/browser'

/** A challenge is valid for 5 minutes: if the page stays open, get the next challenge before that. */
const RENEWAL_MS = 4 * 60_000

/** The script of the pages for sign-in with a passkey: shows their buttons, and sends the form when the passkey has signed. */
for (const form of document.querySelectorAll<HTMLFormElement>('form[data-passkey]')) {
  const button = form.querySelector('button')
  const status = form.querySelector('p')
  const { passkey, origin = '', elsewhere = '', failed = '', path = '' } = form.dataset
  if (button === null || status === null) continue
  // It says that passkeys need script.
  status.textContent = ''
  // Passkeys do not work at an IP address; use the same page at the relying party.
  if (location.origin !== origin) {
    const link = document.createElement('a')
    link.href = origin + location.pathname + location.search
    link.textContent = elsewhere
    status.append(link)
    continue
  }
  if (!browserSupportsWebAuthn()) continue
  button.hidden = false

  const use = async (useBrowserAutofill: boolean) => {
    const answer = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ purpose: passkey }),
    })
    if (!answer.ok) throw new Error(`${answer.status}`)
    const optionsJSON: PublicKeyCredentialRequestOptionsJSON = await answer.json()
    const response = await startAuthentication({ optionsJSON, useBrowserAutofill })
    const proof = form.elements.namedItem('proof')
    if (proof instanceof HTMLInputElement) proof.value = JSON.stringify(response)
    form.submit()
  }

  const offer = async () => {
    if (passkey !== 'sign_in' || !(await browserSupportsWebAuthnAutofill())) return
    // Aborted by the button, by the next offer, or by the user: the page works without it.
    use(true).catch(() => undefined)
  }

  let renewal = setInterval(offer, RENEWAL_MS)
  offer()
  button.addEventListener('click', async () => {
    clearInterval(renewal)
    status.textContent = ''
    button.disabled = true
    try {
      await use(false)
    } catch {
      status.textContent = failed
      renewal = setInterval(offer, RENEWAL_MS)
      offer()
    } finally {
      button.disabled = false
    }
  })
}
