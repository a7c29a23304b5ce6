(() => {
  "use strict";
  const tools = document.getElementById("search");
  const box = document.getElementById("filter");
  const count = document.getElementById("shown");
  if (!tools || !box || !count) return;
  tools.hidden = false;
  const operations = [...document.querySelectorAll(".op")];
  const groups = [...document.querySelectorAll(".group")];
  const kinds = [...document.querySelectorAll(".tools input[type=checkbox]")];
  const texts = operations.map((one) => one.firstElementChild.textContent.toLowerCase());
  const unfolded = groups.map((group) => group.open);
  let asked = false;
  const update = () => {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    const off = kinds.filter((kind) => !kind.checked).map((kind) => kind.value);
    let shown = 0;
    operations.forEach((one, index) => {
      const fits = words.every((word) => texts[index].includes(word));
      one.hidden = !fits;
      if (fits && !off.some((kind) => one.classList.contains(kind))) shown += 1;
    });
    groups.forEach((group, index) => {
      group.hidden = !group.querySelector(".op:not([hidden])");
      if (words.length > 0) group.open = true;
      else if (asked) group.open = unfolded[index];
    });
    asked = words.length > 0;
    count.textContent = `${shown} of ${operations.length} operations`;
  };
  let waiting = 0;
  box.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(update, 120);
  });
  kinds.forEach((kind) => kind.addEventListener("change", update));
  update();
})();
