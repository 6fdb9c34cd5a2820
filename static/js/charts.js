// Arrow keys lead from day to day of a chart; one of them takes part in tabbing.

const STEPS = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };

document.addEventListener("keydown", (event) => {
  const mark = event.target.closest?.(".chart-mark");
  const step = STEPS[event.key];
  if (!mark || step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const marks = [...mark.parentNode.querySelectorAll(".chart-mark")];
  const place = marks.indexOf(mark) + step;
  const next = marks[Math.min(marks.length - 1, Math.max(0, place))];
  mark.setAttribute("tabindex", "-1");
  next.setAttribute("tabindex", "0");
  next.focus();
});
