/**
 * The script of the pages with a password: shows the buttons that show and hide it, which do nothing without script.
 */
export const pageScript = `
for (const button of document.querySelectorAll(\`button.show\`)) {
  const field = document.getElementById(button.getAttribute(\`aria-controls\`))
  const show = function (shown) {
    field.type = shown ? \`text\` : \`password\`
    button.setAttribute(\`aria-pressed\`, shown)
  }
  button.addEventListener(\`click\`, function () { show(field.type === \`password\`) })
  field.form.addEventListener(\`submit\`, function () { show(false) })
  button.hidden = false
}
`
