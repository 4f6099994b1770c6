const FIRST = 'Billing'
const status = document.querySelector('#signed-in')
const buttons = document.querySelectorAll('[data-user]')

new MutationObserver(mend).observe(document.querySelector('#document'), { childList: true, subtree: true })
start().catch((error) => {
  status.textContent = `Not signed in: ${error.message}`
})

async function start() {
  const [document_, { demo }] = await Promise.all([ask('/api/openapi.json'), ask('/_local/info')])
  const viewer = window.SwaggerUIBundle({
    spec: ofOrganization(billingFirst(document_), demo.organization_id),
    dom_id: '#document',
    // The default theme’s numbers are hard to read.
    syntaxHighlight: { theme: 'obsidian' },
    deepLinking: true,
    docExpansion: 'list',
    filter: true,
    persistAuthorization: false,
    displayRequestDuration: true,
    tryItOutEnabled: true,
    validatorUrl: null,
    onComplete: () => signIn('owner'),
  })
  for (const button of buttons) button.addEventListener('click', () => signIn(button.dataset.user))

  /** Requests of the page are sent as this user, with a token like any other. */
  async function signIn(name) {
    try {
      viewer.preauthorizeApiKey('accessToken', await tokenOf(demo, demo[name].id))
      for (const button of buttons) button.setAttribute('aria-pressed', String(button.dataset.user === name))
      status.textContent = `Signed in as ${demo[name].username} for 15 minutes`
    } catch (error) {
      status.textContent = `Not signed in: ${error.message}`
    }
  }
}

async function tokenOf({ client_id, client_secret, redirect_uri }, user_id) {
  const { code } = await ask('/_local/authorization-codes', { user_id, redirect_uri })
  const grant = { client_id, client_secret, redirect_uri, grant_type: 'authorization_code', code }
  return (await ask('/api/oauth/token', grant)).access_token
}

async function ask(path, body) {
  const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const response = await fetch(path, body && post)
  if (!response.ok) throw new Error(`${path}: ${response.status}`)
  return response.json()
}

/** What most readers come for is on top. */
function billingFirst(spec) {
  const rank = ({ name }) => (name === FIRST ? 0 : 1)
  return { ...spec, tags: [...spec.tags].sort((one, other) => rank(one) - rank(other)) }
}

/** Fills the demo's organization into every field for an organization, so that you can execute an operation as it is. */
function ofOrganization(spec, organizationId) {
  for (const operations of Object.values(spec.paths)) {
    for (const { parameters = [] } of Object.values(operations)) {
      for (const parameter of parameters.filter(({ name }) => name === 'organization_id')) {
        delete parameter.examples
        parameter.example = organizationId
      }
    }
  }
  return spec
}

/** Mends what Swagger UI gives screen readers: levels of headings that skip one, parts without a landmark, links inside the buttons that open an operation. */
function mend() {
  const root = document.querySelector('#document')
  for (const heading of root.querySelectorAll('h3:not([aria-level]), h4:not([aria-level]), h5:not([aria-level])')) {
    heading.setAttribute('role', 'heading')
    heading.setAttribute('aria-level', String(Number(heading.localName.slice(1)) - 1))
  }
  root.querySelector('.information-container')?.setAttribute('role', 'region')
  root.querySelector('.information-container')?.setAttribute('aria-label', 'About the API')
  root.querySelector('.filter-container')?.setAttribute('role', 'search')
  for (const link of root.querySelectorAll('button a[href]')) link.removeAttribute('href')
}
