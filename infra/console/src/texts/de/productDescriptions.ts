// Generated from infra/data/products.ts by `npm run products`.
export const productDescriptions = {
  ota: 'Neue Versionen an Geräte im Einsatz verteilen und mit einem Klick zurücknehmen.',
  monitoring: 'Den Zustand jedes Geräts sehen und zuerst von Problemen erfahren.',
  crash_reporting: 'Jeder Absturz mit Stacktrace, nach Ursache gruppiert.',
  remote_ssh: 'Auf jedem Gerät eine Shell öffnen, hinter jeder Firewall.',
}
