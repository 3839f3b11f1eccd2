// Lets the pages be installed as an app that says, without a network, that a table needs one; dates what is printed.

if (window === window.top) navigator.serviceWorker?.register("/worker.js");

addEventListener("beforeprint", () => {
  document.documentElement.dataset.printed = new Date().toLocaleString(document.documentElement.lang);
  for (const one of document.querySelectorAll("details:not([open])")) {
    one.setAttribute("open", "");
    one.setAttribute("data-opened", "");
  }
});
addEventListener("afterprint", () => {
  for (const one of document.querySelectorAll("details[data-opened]")) {
    one.removeAttribute("open");
    one.removeAttribute("data-opened");
  }
});
