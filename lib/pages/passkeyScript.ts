/**
 * The script of the page that makes a passkey: asks the browser for one by the options in the form, and sends what it made. Says why
 * where there is none. Without `&`, `<`, `>` and quotes, so that escaping leaves it unchanged and the policy's hash matches.
 */
export const passkeyScript = `
const form = document.getElementById(\`passkey\`)
const problems = document.querySelectorAll(\`[data-problem]\`)
const show = function (name) {
  for (const problem of problems) problem.hidden = problem.dataset.problem !== name
}
const isSupported = typeof PublicKeyCredential === \`function\`
  ? typeof PublicKeyCredential.parseCreationOptionsFromJSON === \`function\`
  : false
const problemOf = function (error) {
  if (error.name === \`InvalidStateError\`) return \`existing\`
  return error.name === \`SecurityError\` ? \`address\` : \`failed\`
}
const create = async function () {
  try {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(JSON.parse(form.dataset.options))
    const credential = await navigator.credentials.create({ publicKey })
    form.elements.response.value = JSON.stringify(credential.toJSON())
    form.submit()
  } catch (error) {
    show(problemOf(error))
  }
}
form.addEventListener(\`submit\`, function (event) {
  event.preventDefault()
  show(undefined)
  create()
})
form.hidden = !isSupported
show(isSupported ? undefined : \`unsupported\`)
`
