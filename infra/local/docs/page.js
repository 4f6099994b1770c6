const status = document.querySelector('#signed-in')

const viewer = window.SwaggerUIBundle({
  url: '/api/openapi.json',
  dom_id: '#operations',
  deepLinking: true,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  validatorUrl: null,
  onComplete: () => {
    signIn().catch((error) => {
      status.textContent = `Not signed in: ${error.message}`
    })
  },
})

async function ask(path, body) {
  const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const response = await fetch(path, body && post)
  if (!response.ok) throw new Error(`${path}: ${response.status}`)
  return response.json()
}

/** Requests of the page are sent as the demo's owner, with a token like any other. */
async function signIn() {
  const { demo } = await ask('/_local/info')
  const { client_id, client_secret, redirect_uri, owner, organization_id } = demo
  const { code } = await ask('/_local/authorization-codes', { user_id: owner.id, redirect_uri })
  const grant = { client_id, client_secret, redirect_uri, grant_type: 'authorization_code', code }
  const { access_token } = await ask('/api/oauth/token', grant)
  viewer.preauthorizeApiKey('accessToken', access_token)
  status.textContent = `Signed in as ${owner.username} for 15 minutes; an organization of theirs is ${organization_id}.`
}
