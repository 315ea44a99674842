/* What every page has: nothing works only with it. */

document.documentElement.classList.add("has-script");
