/** The rules page: drawn by Django; the table of contents follows the reader. */
import '../style/keys.css';
import '../style/rules.css';

const links = new Map(
  [...document.querySelectorAll<HTMLAnchorElement>('.toc a[href^="#"]')].map((link) => [
    link.hash.slice(1),
    link,
  ]),
);
const observer = new IntersectionObserver(
  (entries) => {
    const top = entries.find(({ isIntersecting }) => isIntersecting);
    if (!top) return;
    for (const link of links.values()) link.classList.remove('on');
    links.get(top.target.id)?.classList.add('on');
  },
  { rootMargin: '0px 0px -70% 0px' },
);
for (const id of links.keys()) {
  const heading = document.getElementById(id);
  if (heading) observer.observe(heading);
}
