import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  startRegistration,
} from '@simplewebauthn/browser'

/** Shows a problem of the page, or hides all. */
function show(name?: string) {
  for (const problem of document.querySelectorAll<HTMLElement>('[data-problem]')) {
    problem.hidden = problem.dataset.problem !== name
  }
}

function problemOf(error: unknown): string {
  const name = error instanceof Error ? error.name : ''
  if (name === 'InvalidStateError') return 'existing'
  return name === 'SecurityError' ? 'address' : 'failed'
}

/** The script of the page that makes a passkey. The browser makes it by the options in the form; the form sends the result. */
for (const form of document.querySelectorAll<HTMLFormElement>('form#passkey')) {
  const create = async () => {
    const optionsJSON: PublicKeyCredentialCreationOptionsJSON = JSON.parse(form.dataset.options ?? '')
    const made = await startRegistration({ optionsJSON })
    const response = form.elements.namedItem('response')
    if (response instanceof HTMLInputElement) response.value = JSON.stringify(made)
    form.submit()
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    show()
    create().catch((error: unknown) => show(problemOf(error)))
  })
  const isSupported = browserSupportsWebAuthn()
  form.hidden = !isSupported
  show(isSupported ? undefined : 'unsupported')
}
