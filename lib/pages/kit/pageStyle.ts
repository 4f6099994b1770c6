import { type Branding, cardColors } from '../../core/branding.ts'
import { mixColors } from '../../core/contrast.ts'

/** The colors of every page, light and dark, with the accent of the stage. */
export function pageColors({ colors: { accent } }: Branding): string {
  // Each step goes away from the card, so that the contrast only grows.
  return `
:root {
  color-scheme: light dark;
  --ground: #f4f5f7;
  --card: ${cardColors.light};
  --ink: #1b2430;
  --muted: #5a6675;
  --line: #d5dae1;
  --field: #8691a0;
  --accent: ${accent.light};
  --accent-hover: ${mixColors(accent.light, '#000000', 0.18)};
  --on-accent: #ffffff;
  --bad: #a51d24;
  --bad-ground: #fdeeee;
  --good: #146c43;
  --good-ground: #eaf6ef;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #10151c;
    --card: ${cardColors.dark};
    --ink: #e8edf3;
    --muted: #a3afbd;
    --line: #313c49;
    --field: #6f7d8d;
    --accent: ${accent.dark};
    --accent-hover: ${mixColors(accent.dark, '#ffffff', 0.25)};
    --on-accent: #0d1b36;
    --bad: #ffb0ae;
    --bad-ground: #3a1c1f;
    --good: #8fdcb2;
    --good-ground: #153024;
  }
}
`
}

/**
 * The style of every page, light and dark, in the stage's colors. Without `&`, `<`, `>` and quotes, so that escaping leaves it
 * unchanged and the policy's hash matches.
 */
export function pageStyle(branding: Branding): string {
  return `${pageColors(branding)}*, *::before, *::after { box-sizing: border-box; }
body {
  margin: 0;
  min-height: 100vh;
  min-height: 100svh;
  display: flex;
  flex-direction: column;
  align-items: center;
  justify-content: center;
  padding: 2rem 1rem;
  background: var(--ground);
  color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, Segoe UI, Roboto, Noto Sans, Liberation Sans, sans-serif;
}
.brand { display: flex; align-items: center; gap: .6rem; margin: 0 0 1.25rem; font-weight: 650; font-size: 1.05rem; }
.brand svg, .brand img { width: 1.75rem; height: 1.75rem; color: var(--accent); object-fit: contain; }
main {
  width: 100%;
  max-width: 26rem;
  padding: 2rem;
  background: var(--card);
  border: 1px solid var(--line);
  border-radius: .9rem;
  box-shadow: 0 1px 2px rgb(16 24 40 / 6%), 0 12px 32px rgb(16 24 40 / 8%);
  overflow-wrap: anywhere;
}
h1 { margin: 0 0 .5rem; font-size: 1.4rem; line-height: 1.25; letter-spacing: -.01em; text-wrap: balance; }
h2 { margin: 2rem 0 .35rem; font-size: 1.1rem; line-height: 1.3; }
p { margin: 0 0 1rem; }
ul { margin: 0 0 1rem; padding-left: 1.25rem; }
.lead, .hint { color: var(--muted); }
.lead { margin-bottom: 1.5rem; }
.lead strong { color: var(--ink); font-weight: 600; }
li { margin: .25rem 0; }
.typed { white-space: nowrap; }
.hint { margin: 1.25rem 0 0; font-size: .9rem; }
form { margin: 0; }
form .hint { margin: -.6rem 0 1.25rem; }
label { display: block; margin: 0 0 .35rem; font-weight: 600; font-size: .925rem; }
input {
  display: block;
  width: 100%;
  margin: 0 0 1.1rem;
  padding: .65rem .75rem;
  color: inherit;
  background: var(--card);
  border: 1px solid var(--field);
  border-radius: .5rem;
  font: inherit;
}
input[aria-invalid=true] { border-color: var(--bad); box-shadow: inset 0 0 0 1px var(--bad); }
input[readonly] { background: var(--ground); color: var(--muted); }
form .problem { margin: -.6rem 0 1.1rem; color: var(--bad); font-size: .9rem; }
.field { position: relative; }
.field input { padding-right: 3.25rem; }
.field .show { position: absolute; top: 0; right: 0; width: 2.9rem; height: 100%; display: flex; align-items: center; justify-content: center; padding: 0; border: 0; background: none; color: var(--muted); }
.field .show:hover { background: none; color: var(--ink); }
.field .show svg { width: 1.3rem; height: 1.3rem; }
.show[aria-pressed=false] .slash { display: none; }
.spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
[hidden] { display: none !important; }
button, .button {
  display: block;
  width: 100%;
  padding: .7rem 1rem;
  border: 1px solid transparent;
  border-radius: .5rem;
  background: var(--accent);
  color: var(--on-accent);
  font: inherit;
  font-weight: 650;
  text-align: center;
  text-decoration: none;
  cursor: pointer;
}
button:hover, .button:hover { background: var(--accent-hover); }
button.plain { background: none; border-color: var(--field); color: inherit; }
button.plain:hover { background: var(--ground); }
button.link { display: inline; width: auto; padding: 0; border: 0; background: none; color: var(--accent); font-weight: 600; text-decoration: underline; }
button.link:hover { color: var(--accent-hover); }
a { color: var(--accent); }
.after { margin: 1.25rem 0 0; color: var(--muted); font-size: .9rem; }
.after + .after { margin-top: .5rem; }
.after form { display: inline; }
.passkey { margin: 1.1rem 0 0; }
.passkey p { margin: .6rem 0 0; color: var(--muted); font-size: .9rem; }
.passkey p:empty { display: none; }
.notice + .passkey, .account + .passkey { margin: 0; }
.passkey + form { margin-top: 1.5rem; }
h1 + .account { margin-top: 1rem; }
details.after form { display: block; margin-top: 1rem; color: var(--ink); }
summary { color: var(--accent); font-weight: 600; cursor: pointer; }
.items { margin: 0 0 1rem; padding: 0; list-style: none; border-top: 1px solid var(--line); }
.items li { display: flex; align-items: center; justify-content: space-between; gap: .25rem 1rem; margin: 0; padding: .7rem 0; border-bottom: 1px solid var(--line); }
.items strong { display: block; font-weight: 600; }
.items small { display: block; color: var(--muted); font-size: .875rem; }
.items a { flex: none; padding: .35rem 0; }
fieldset { margin: 0 0 1.25rem; padding: 0; border: 0; border-bottom: 1px solid var(--line); }
legend { margin: 0 0 .35rem; padding: 0; font-weight: 600; }
.choice { display: flex; align-items: baseline; gap: .75rem; margin: 0; padding: .7rem 0; border-top: 1px solid var(--line); font-weight: 400; font-size: 1rem; cursor: pointer; }
.choice input { flex: none; width: 1.05rem; height: 1.05rem; margin: 0; accent-color: var(--accent); transform: translateY(.12rem); }
.choice strong { display: block; font-weight: 600; }
.choice small { display: block; color: var(--muted); font-size: .875rem; }
h2 + .hint, .section-lead { margin: 0 0 .9rem; color: var(--muted); font-size: .925rem; }
.qr { display: block; width: 12.5rem; max-width: 100%; margin: 0 auto 1.25rem; border-radius: .5rem; }
.key { display: block; margin: 0 0 1.25rem; padding: .65rem .75rem; font-size: 1rem; letter-spacing: .04em; text-align: center; }
textarea.codes { display: block; width: 100%; margin: 0 0 1rem; padding: .9rem; color: inherit; background: var(--ground); border: 1px solid var(--line); border-radius: .5rem; font: 1rem/1.6 ui-monospace, SFMono-Regular, Menlo, Consolas, Liberation Mono, monospace; text-align: center; resize: none; }
.button.plain { background: none; border-color: var(--field); color: inherit; margin: 0 0 .75rem; }
.button.plain:hover { background: var(--ground); }
.button.provider { margin: .75rem 0 0; }
.button.company { margin: 0 0 1.5rem; }
button.danger { background: none; border-color: var(--bad); color: var(--bad); }
button.danger:hover { background: var(--bad-ground); }
.foot { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; justify-content: center; margin: 1.25rem 0 0; font-size: .875rem; }
.foot a { color: var(--muted); }
a.button { color: var(--on-accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.actions { display: flex; flex-direction: row-reverse; gap: .75rem; }
.notice { margin: 0 0 1.25rem; padding: .75rem .9rem; border-radius: .5rem; background: var(--ground); }
.notice.bad { background: var(--bad-ground); color: var(--bad); }
.notice.good { background: var(--good-ground); color: var(--good); }
.account { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: .25rem 1rem; margin: 0 0 1.25rem; padding: .7rem .9rem; border: 1px solid var(--line); border-radius: .5rem; font-size: .925rem; }
.account p { margin: 0; }
code { padding: .1rem .35rem; border-radius: .3rem; background: var(--ground); font: .9em ui-monospace, SFMono-Regular, Menlo, Consolas, Liberation Mono, monospace; }
@media (max-width: 30rem) {
  body { justify-content: flex-start; padding: 1.5rem 1rem; }
  main { padding: 1.5rem 1.25rem; }
  .actions { flex-direction: column; }
}
@media print {
  body { display: block; padding: 0; background: none; }
  main { max-width: none; border: 0; box-shadow: none; }
  .button, button, .after, .foot { display: none; }
}
@media (forced-colors: active) {
  button, .button { border-color: ButtonText; }
}
`
}
