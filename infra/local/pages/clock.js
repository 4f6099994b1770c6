// In the console of the local stack: says that the clock is ahead, and resets it.
const notice = document.createElement('div')
notice.className = 'notice neutral'
notice.setAttribute('role', 'status')
const text = document.createElement('span')
const button = document.createElement('button')
button.type = 'button'
button.className = 'button'
button.textContent = 'Reset it'
notice.append(text, button)
notice.hidden = true
// The console's policy allows no other style.
Object.assign(notice.style, { position: 'fixed', bottom: '1rem', left: '1rem', zIndex: '30', margin: '0' })
document.body.append(notice)

async function look() {
  const answer = await fetch('/_local/clock')
  const message = (await answer.json()).notice
  text.textContent = message === null ? '' : `${message}.`
  notice.hidden = message === null
  notice.style.display = message === null ? 'none' : ''
}

button.addEventListener('click', async () => {
  await fetch('/_local/clock/reset', { method: 'POST' })
  location.reload()
})
document.addEventListener('visibilitychange', () => look().catch(() => {}))
look().catch(() => {})
