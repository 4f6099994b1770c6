// Swagger UI takes its dark colors from a class, which follows the browser here. Before the first paint, so that nothing flashes.
const dark = window.matchMedia('(prefers-color-scheme: dark)')
const apply = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', apply)
apply()
